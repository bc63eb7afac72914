/** The faults that were seen on real hosts, each with the daemon before kron-shim and with the present one. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  openSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { Krond } from '@kron/testkit/krond/blackbox/krond'
import { directoryOf, seen, type Version } from './seen.ts'

const MINUTELY = '* * * * *'
const NOON = Date.parse('2026-03-01T12:00:30Z')
const MINUTE = 60_000
const DAY = 86_400_000
/** Long enough for a command to end on a busy machine; one that hangs is ended then. */
const HANGS_AFTER = 30_000
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

interface Ran {
  readonly hangs: boolean
  readonly code: number | null
  readonly out: string
  readonly err: string
}

function krontab(
  { sources }: Version,
  words: readonly string[],
  { prefix = [], ...more }: { prefix?: readonly string[]; env?: NodeJS.ProcessEnv } = {},
): Ran {
  const program = `${sources}/packages/krontab/src/bin/krontab.ts`
  const [command, ...rest] = [...prefix, process.execPath, '--conditions=kron-source', program, ...words]
  const { status, signal, stdout, stderr } = spawnSync(command!, rest, {
    encoding: 'utf8',
    timeout: HANGS_AFTER,
    cwd: sources,
    ...more,
  })
  return { hangs: signal !== null, code: status, out: stdout, err: stderr }
}

/** Replaces a text in a state file of a daemon that is down. */
function changeState(krond: Krond, name: string, from: RegExp, to: string): void {
  const text = readFileSync(krond.statePath(name), 'utf8')
  assert.match(text, from)
  writeFileSync(krond.statePath(name), text.replace(from, to))
  // The daemon's clock is not the machine's.
  utimesSync(krond.statePath(name), krond.now() / 1_000, krond.now() / 1_000)
}

seen(
  'one flipped bit of HandledThrough runs no period again',
  async (t, { options }) => {
    const krond = new Krond(t, { at: NOON + 9 * MINUTE, speed: 60 })
    krond.write([krond.job('*/10 * * * * @policy(deadline=2h)', 'a')])
    await krond.start(options)
    await krond.eventually(() => krond.events('finished').length > 0, 'the first run')
    await krond.stop()
    changeState(krond, 'a', /("HandledThrough": ?"[^T]*T1)2/, '$10')
    await krond.start(options)
    const first = krond.ran()[0]
    await krond.eventually(() => krond.ran().some(each => each !== first), 'the next period')
    await krond.stop()
    const ran = krond.ran()
    return {
      runsTwice: new Set(ran).size < ran.length,
      isReported: krond.events('state_corrupt').length > 0,
    }
  },
  { before: { runsTwice: true, isReported: false }, now: { runsTwice: false, isReported: true } },
)

seen(
  'a clock that was a year ahead silences no job',
  async (t, { options }) => {
    const krond = new Krond(t, { at: NOON, speed: 60 })
    krond.write([krond.job(MINUTELY, 'a')])
    await krond.start(options)
    await krond.eventually(() => krond.ran().length > 0, 'a run')
    krond.step(365 * DAY)
    await krond.until(each => each['direction'] === 'forward', 'the jump')
    const isBack = krond.now() + 3 * MINUTE
    await krond.eventually(() => krond.now() > isBack, 'three minutes')
    krond.step(0)
    await krond.until(each => each['direction'] === 'backward', 'the jump back')
    const before = krond.ran().length
    const end = krond.now() + 30 * MINUTE
    await krond.eventually(() => krond.ran().length > before + 1 || krond.now() > end, 'half an hour')
    await krond.stop()
    return {
      runsAgain: krond.ran().length > before + 1,
      isReported: krond.events('periods_reopened').length > 0,
    }
  },
  { before: { runsAgain: false, isReported: false }, now: { runsAgain: true, isReported: true } },
)

seen(
  'a log reader that stalls stops no job, and no SIGTERM',
  async (t, { options }) => {
    const krond = new Krond(t, { at: NOON, speed: 60 })
    const path = `${krond.directory}/log`
    spawnSync('mkfifo', [path])
    const reader = openSync(path, constants.O_RDWR)
    krond.write(Array.from({ length: 40 }, (_, n) => krond.job(MINUTELY, `job-${n}`)))
    krond.launch(options)
    // Three lines of each run are more than half a kilobyte, and the pipe holds 64.
    const [enough, stallsAfter] = [400, 20_000]
    let [count, changedAt] = [0, Date.now()]
    await krond.eventually(() => {
      const ran = krond.ran().length
      if (ran > count) [count, changedAt] = [ran, Date.now()]
      return ran >= enough || (count > 0 && Date.now() - changedAt > stallsAfter)
    }, 'many runs, or none any more')
    krond.signal('SIGTERM')
    const ended = krond.exit.then(() => true)
    const patience = new Promise<false>(resolve => {
      setTimeout(() => resolve(false), stallsAfter).unref()
    })
    const isEnded = await Promise.race([ended, patience])
    if (!isEnded) await krond.stop('SIGKILL')
    closeSync(reader)
    return { runsOn: count >= enough, isEnded }
  },
  { before: { runsOn: false, isEnded: false }, now: { runsOn: true, isEnded: true } },
)

seen(
  'damage to the state of one job stops no other job',
  async (t, { options }) => {
    const krond = new Krond(t, { at: NOON, speed: 60 })
    krond.write([krond.job(MINUTELY, 'a'), krond.job(MINUTELY, 'b')])
    const ofB = (): number => krond.ran().filter(each => each.startsWith('b ')).length
    await krond.start(options)
    await krond.eventually(() => krond.events('finished').length > 1, 'runs')
    await krond.stop()
    changeState(krond, 'a', /"LastOutcome"/, '"LastOutcomd"')
    const before = ofB()
    await krond.start(options)
    if (krond.isDead) return { exit: (await krond.exit).code }
    await krond.eventually(() => ofB() > before, 'a run of the other job')
    await krond.stop()
    return { exit: null }
  },
  { before: { exit: 2 }, now: { exit: null } },
)

if (isRoot)
  seen(
    'a state directory that is read-only for a while keeps krond down only so long',
    async (t, { sources, options }) => {
      const unit = readFileSync(`${sources}/packaging/systemd/krond.service`, 'utf8')
      const givenUp = /^RestartPreventExitStatus=(.*)$/m.exec(unit)![1]!.split(' ').map(Number)
      const krond = new Krond(t, { at: NOON, speed: 60 })
      krond.write([krond.job(MINUTELY, 'a')])
      await krond.start(options)
      await krond.stop()
      krond.beforeRemoval = () => spawnSync('umount', [krond.stateDir])
      const { status } = spawnSync('sh', [
        '-c',
        `mount --bind ${krond.stateDir} ${krond.stateDir} && mount -o remount,bind,ro ${krond.stateDir}`,
      ])
      assert.equal(status, 0)
      await krond.start(options)
      const { code } = await krond.exit
      return { isGivenUp: givenUp.includes(code!) }
    },
    { before: { isGivenUp: true }, now: { isGivenUp: false } },
  )

seen(
  'a program that is not there is the reason of the missed period',
  async (t, { options }) => {
    const krond = new Krond(t, { at: NOON, speed: 60 })
    krond.write([`${MINUTELY} @policy(deadline=20s) name=a command=/no/such/program`])
    await krond.start(options)
    const { level } = await krond.until(({ event }) => event === 'missed_deadline', 'a missed period')
    await krond.stop()
    const [first] = (await krond.state('a'))!.History
    return { level, namesCause: /\/no\/such\/program: no such file/.test(first!.Reason ?? '') }
  },
  { before: { level: 'info', namesCause: false }, now: { level: 'warn', namesCause: true } },
)

if (isRoot)
  seen(
    'zones are those of the host',
    async (t, version) => {
      const directory = directoryOf(t)
      const zones = `${directory}/zoneinfo`
      cpSync('/usr/share/zoneinfo', zones, { recursive: true, dereference: true })
      copyFileSync('/usr/share/zoneinfo/Asia/Tokyo', `${zones}/America/Newtown`)
      copyFileSync('/usr/share/zoneinfo/Asia/Tokyo', `${zones}/America/Asuncion`)
      // As on a host whose tzdata is newer than the data in Node.
      const mount = `mount --bind ${zones} /usr/share/zoneinfo && exec "$@"`
      const prefix = ['unshare', '--mount', 'sh', '-c', mount, 'sh']
      const next = (zone: string): Ran => {
        const file = `${directory}/all.kron`
        writeFileSync(file, `0 12 * * * @tz(${zone}) name=a command=/bin/true\n`)
        const words = [
          'next',
          '--file',
          file,
          '--at',
          '2026-03-01T00:00:00Z',
          '--count',
          '1',
          '--format',
          'json',
        ]
        return krontab(version, words, { prefix })
      }
      const chosen = ({ out }: Ran): string | undefined => /"chosenTime": "[^"]*"/.exec(out)?.[0]
      const tokyo = chosen(next('Asia/Tokyo'))
      assert.match(tokyo!, /T03:00:00Z/)
      return {
        knowsNewZone: chosen(next('America/Newtown')) === tokyo,
        followsRules: chosen(next('America/Asuncion')) === tokyo,
      }
    },
    {
      before: { knowsNewZone: false, followsRules: false },
      now: { knowsNewZone: true, followsRules: true },
    },
  )

seen(
  'import ends on a step of zero',
  async (t, version) => {
    const file = `${directoryOf(t)}/crontab`
    const hangs = ['*,*/0', '*/0,*'].map(minute => {
      writeFileSync(file, `${minute} * * * * cmd\n`)
      return krontab(version, ['import', '--crontab', file]).hangs
    })
    return { hangs }
  },
  { before: { hangs: [true, true] }, now: { hangs: [false, false] } },
)

seen(
  'list shows the other jobs beside a broken file',
  async (t, version) => {
    const directory = directoryOf(t)
    writeFileSync(`${directory}/sound.kron`, '@daily name=sound command=/bin/true\n')
    writeFileSync(`${directory}/broken.kron`, 'nonsense\n')
    const files = ['--file', `${directory}/sound.kron`, '--file', `${directory}/broken.kron`]
    const { out } = krontab(version, ['list', ...files, '--state-dir', `${directory}/state`])
    return { showsSound: out.includes('sound') }
  },
  { before: { showsSound: false }, now: { showsSound: true } },
)

if (isRoot)
  seen(
    'add tells a user whose files no krond reads',
    async (t, version) => {
      const directory = directoryOf(t)
      const file = `${directory}/a.kron`
      writeFileSync(file, '@daily name=a command=/bin/true\n')
      const env = { ...process.env, HOME: directory, XDG_CONFIG_HOME: `${directory}/config` }
      chownSync(directory, NOBODY, NOBODY)
      // May read the sources, wherever they are.
      const capability = ['--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search']
      const prefix = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', ...capability]
      const { code, out, err } = krontab(version, ['add', '--file', file], { prefix, env })
      return { code, warns: /no krond of yours is running/.test(out + err) }
    },
    { before: { code: 0, warns: false }, now: { code: 0, warns: true } },
  )

if (!existsSync('/dev/log'))
  seen(
    'output for a syslog that is not there is reported as lost',
    async (t, { options }) => {
      const krond = new Krond(t, { at: NOON, speed: 60 })
      krond.write([krond.job(MINUTELY, 'a', `${krond.says}; echo into the void`, 'stdout=syslog')])
      await krond.start(options)
      await krond.eventually(() => krond.events('finished').length > 2, 'ends')
      await krond.stop()
      return { isReported: krond.events('output_lost').length > 0 }
    },
    { before: { isReported: false }, now: { isReported: true } },
  )

seen(
  "the service manager's own variables do not reach jobs",
  async (t, { options }) => {
    const krond = new Krond(t, { at: NOON, speed: 60 })
    krond.write([krond.job(MINUTELY, 'a', `${krond.says}; env > ${krond.directory}/environment`)])
    await krond.start({ ...options, env: { STATE_DIRECTORY: '/var/lib/krond', JOURNAL_STREAM: '1:2' } })
    await krond.eventually(() => krond.events('finished').length > 0, 'an end')
    await krond.stop()
    const environment = krond.read('environment')
    return { leaks: ['STATE_DIRECTORY', 'JOURNAL_STREAM'].filter(each => environment.includes(`${each}=`)) }
  },
  { before: { leaks: ['STATE_DIRECTORY', 'JOURNAL_STREAM'] }, now: { leaks: [] } },
)
