/**
 * A fleet on real programs: `npm run verify -- fleet`. Three daemons with machine ids and host names of their own run the
 * same file, krontab verifies their mixed logs and names their seconds in advance; a forecast of 10,000 hosts is timed
 * and compared with a plain count. Needs root for the machine ids.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { addToForecast, emptyForecast, parseInstant, parseSchedule } from '@kron/core'

const program = (path: string): string[] => [
  process.execPath,
  '--conditions=kron-source',
  fileURLToPath(new URL(`../../packages/${path}`, import.meta.url)),
]
const KROND = program('krond/src/bin/krond.ts')
const KRONTAB = program('krontab/src/bin/krontab.ts')
const work = mkdtempSync(join(tmpdir(), 'kron-fleet-'))
process.on('exit', () => rmSync(work, { recursive: true, force: true }))

const krontab = (...words: string[]): string => {
  const [node, ...rest] = [...KRONTAB, ...words]
  const { stdout, stderr, status } = spawnSync(node!, rest, {
    encoding: 'utf8',
    cwd: work,
    maxBuffer: 2 ** 28,
  })
  assert.equal(status, 0, stderr + stdout)
  return stdout
}

await daemons()
forecast()

async function daemons(): Promise<void> {
  const mayMount = spawnSync('unshare', ['--mount', '--uts', 'true']).status === 0
  if (!mayMount) return console.log('three daemons skipped: this user may not give them machine ids')
  const jobs = join(work, 'jobs')
  mkdirSync(jobs, { mode: 0o755 })
  const line = '* * * * * @win(after,50s) @policy(deadline=30s)'
  writeFileSync(
    join(jobs, 'a.kron'),
    `${line} name=default command=/bin/true\n${line} @seed(stable,salt=%H) name=own command=/bin/true\n` +
      `${line} @dist(weights,file=day) @avoid(cal=past) name=files command=/bin/true\n`,
    { mode: 0o644 },
  )
  for (const [directory, file, text] of [
    ['weights', 'day.csv', '00:00,1\n12:00,3\n'],
    ['calendars', 'past.dates', '2020-12-25\n'],
  ] as const) {
    mkdirSync(join(jobs, directory), { mode: 0o755 })
    writeFileSync(join(jobs, directory, file), text, { mode: 0o644 })
  }
  const began = Math.floor(Date.now() / 60_000) * 60
  const children: ChildProcess[] = []
  let log = ''
  for (const n of [1, 2, 3]) {
    const id = join(work, `id${n}`)
    writeFileSync(id, `${String(n).repeat(32)}\n`)
    const here = join(work, `host${n}`)
    mkdirSync(here, { mode: 0o700 })
    const start = [
      ...KROND,
      'start',
      '--config',
      jobs,
      '--state-dir',
      join(here, 'state'),
      '--runtime-dir',
      join(here, 'run'),
      '--pid-file',
      join(here, 'pid'),
      '--salt',
      '%m',
      '--log-format',
      n === 2 ? 'text' : 'json',
    ]
    const script = `mount --bind ${id} /etc/machine-id && hostname node${n} && exec "$@"`
    const child = spawn('unshare', ['--mount', '--uts', 'sh', '-c', script, 'sh', ...start], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child.stderr!.on('data', (data: Buffer) => (log += data))
    children.push(child)
  }
  await new Promise(resolve => setTimeout(resolve, 150_000))
  const over = children.map(child => new Promise(resolve => child.on('exit', resolve)))
  for (const child of children) child.kill('SIGTERM')
  await Promise.all(over)
  writeFileSync(join(work, 'all.log'), log)
  console.log(`mixed logs of three daemons: ${krontab('verify', '--log', 'all.log').trim()}`)
  assert.match(log, /weights_digest/)
  let named = 0
  const at = new Date((began - 60) * 1_000).toISOString().replace(/\.\d+/, '')
  for (const n of [1, 2, 3]) {
    const next = JSON.parse(
      krontab(
        'next',
        '--file',
        join(jobs, 'a.kron'),
        '--host',
        `node${n}`,
        '--machine-id',
        String(n).repeat(32),
        '--salt',
        '%m',
        '--at',
        at,
        '--count',
        '10',
        '--format',
        'json',
      ),
    )
    for (const { salt, chosenTime, identity } of next.decisions as {
      salt: string
      chosenTime: string
      identity: string
    }[]) {
      const isThere = log
        .split('\n')
        .some(
          each =>
            each.includes('decision') && [salt, chosenTime, identity].every(word => each.includes(word)),
        )
      if (isThere) named++
    }
  }
  console.log(`decisions of the daemons that --host and --machine-id had named: ${named}`)
  assert.ok(named >= 6)
}

function forecast(): void {
  const hosts = Array.from({ length: 10_000 }, (_, i) => `web${i}.example.org`)
  const lines = Array.from(
    { length: 100 },
    (_, i) => `${(i * 7) % 60} ${i % 24} * * * @tz(Europe/Paris) @win(after,2h)`,
  )
  writeFileSync(join(work, 'hosts.txt'), hosts.map(host => `${host}\n`).join(''))
  writeFileSync(
    join(work, 'sample.txt'),
    hosts
      .slice(0, 50)
      .map(host => `${host}\n`)
      .join(''),
  )
  writeFileSync(
    join(work, 'many.kron'),
    lines.map((line, i) => `${line} name=job-${i} command=/bin/true\n`).join(''),
    { mode: 0o644 },
  )
  const AT = '2026-03-01T00:00:00Z'
  const words = [
    'forecast',
    '--file',
    'many.kron',
    '--as',
    '/etc/krond.d',
    '--salt',
    '%H',
    '--at',
    AT,
    '--format',
    'json',
  ]
  const timed = spawnSync('/usr/bin/time', ['-f', '%U %M', ...KRONTAB, ...words, '--hosts', 'hosts.txt'], {
    encoding: 'utf8',
    cwd: work,
    maxBuffer: 2 ** 28,
  })
  const { kron } = JSON.parse(timed.stdout)
  const [seconds, kilobytes] = timed.stderr.trim().split('\n').at(-1)!.split(' ').map(Number) as [
    number,
    number,
  ]
  console.log(
    `10,000 hosts × 100 jobs × 24 h: ${kron.total} starts in ${seconds} s of CPU, ${Math.round(kron.total / seconds)} a second, ${Math.round(kilobytes / 1_024)} MB`,
  )
  const counted = emptyForecast(instant(AT), instant(AT) + 86_400, 300)
  for (const [i, line] of lines.entries()) {
    for (const host of hosts.slice(0, 50)) {
      const schedule = parseSchedule(`${line} @seed(stable,salt=${host})`)
      assert.ok(schedule.ok)
      addToForecast(counted, { identity: `/etc/krond.d/many.kron:job-${i}`, schedule: schedule.value })
    }
  }
  const sample = JSON.parse(krontab(...words, '--hosts', 'sample.txt'))
  assert.deepEqual(
    sample.buckets.map((each: { kron: number }) => each.kron),
    [...counted.spread],
  )
  console.log('the histogram of 50 hosts is that of a plain count')
}

function instant(text: string): number {
  const read = parseInstant(text)
  assert.ok(read.ok)
  return read.value
}
