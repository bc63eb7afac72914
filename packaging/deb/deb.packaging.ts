/** The Debian packages, built and installed into a root of its own: `npm run verify -- packaging`. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseSchedule, upcoming } from '@kron/core'
import { root, version } from '../../scripts/packages.ts'
import { serviceManager } from './service-manager.ts'

const work = mkdtempSync(join(tmpdir(), 'kron-packaging-'))
const target = join(work, 'root')
const children: ChildProcess[] = []
let deb = ''

const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
const inRoot = (path: string): string => join(target, path)

const DPKG = [
  `--root=${target}`,
  `--log=${work}/dpkg.log`,
  '--force-depends',
  '--force-script-chrootless',
  '--force-not-root',
  '--force-bad-path',
]

/** Builds both packages with the command of the guide, on the Node that the machine itself has. */
function buildAsDocumented(): string[] {
  const guide = readFileSync(join(root, 'docs/guides/host-in-five-minutes.md'), 'utf8')
  const command = /^(npx node .*packaging\/deb\/build\.ts) \.$/m.exec(guide)![1]!
  const own = process.env['PATH']!.split(':').filter(place => !place.includes('node_modules'))
  return execFileSync('sh', ['-c', `${command} "$1"`, 'sh', work], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PATH: own.join(':') },
  })
    .trim()
    .split('\n')
}

before(() => {
  const built = buildAsDocumented()
  deb = built.find(path => path.includes('/kron_'))!
  const kronctl = built.find(path => path.includes('/kronctl_'))!
  mkdirSync(inRoot('var/lib/dpkg/updates'), { recursive: true })
  mkdirSync(inRoot('var/lib/dpkg/info'))
  writeFileSync(inRoot('var/lib/dpkg/status'), '')
  execFileSync('dpkg', [...DPKG, '-i', deb, kronctl], { stdio: 'pipe' })
})

after(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(work, { recursive: true, force: true })
})

test('the package says what it needs and what it is', () => {
  const field = (name: string): string =>
    execFileSync('dpkg-deb', ['-f', deb, name], { encoding: 'utf8' }).trim()
  assert.equal(field('Version'), version)
  assert.equal(field('Depends'), 'libc6 (>= 2.28), libatomic1, libgcc-s1, libstdc++6 (>= 8)')
  assert.deepEqual([field('Provides'), field('Conflicts')], ['cron-daemon', 'cron, cron-daemon'])
  assert.match(
    execFileSync('dpkg', [`--root=${target}`, '-s', 'kron'], { encoding: 'utf8' }),
    /install ok installed/,
  )
})

test('everything is where a host looks for it', () => {
  for (const path of [
    'usr/bin/krond',
    'usr/bin/krontab',
    'usr/bin/crontab',
    'usr/libexec/kron/kron-shim',
    'usr/share/man/man1/crontab.1.gz',
    'usr/share/doc/kron/changelog.gz',
    'etc/systemd/system/multi-user.target.wants/krond.service',
    'usr/lib/systemd/system/krond.service',
    'usr/lib/sysusers.d/kron.conf',
    'usr/lib/tmpfiles.d/kron.conf',
    'usr/share/man/man8/krond.8.gz',
    'usr/share/man/man1/krontab.1.gz',
    'usr/share/man/man5/krontab.5.gz',
    'usr/share/bash-completion/completions/krontab',
    'usr/share/zsh/vendor-completions/_krond',
    'usr/share/fish/vendor_completions.d/krontab.fish',
    'usr/share/doc/kron/copyright',
    'etc/krond.conf',
    'etc/krond.d',
    'usr/bin/kronctl',
    'usr/share/man/man1/kronctl.1.gz',
    'usr/share/bash-completion/completions/kronctl',
    'usr/share/doc/kronctl/copyright',
  ])
    assert.ok(lstatSync(inRoot(path), { throwIfNoEntry: false }) !== undefined, path)
  assert.ok(statSync(inRoot('usr/bin/krond')).mode & 0o111, 'krond is executable')
})

test('a first installation spreads the hosts, and an update never adds or changes a salt', () => {
  const conf = inRoot('etc/krond.conf')
  assert.match(readFileSync(conf, 'utf8'), /^salt = %m$/m)
  const update = () => execFileSync('dpkg', [...DPKG, '-i', deb], { stdio: 'pipe' })
  writeFileSync(conf, '# nothing\n')
  update()
  assert.equal(readFileSync(conf, 'utf8'), '# nothing\n')
  rmSync(conf)
  update()
  assert.ok(!existsSync(conf))
  writeFileSync(conf, readFileSync(inRoot('usr/share/kron/krond.conf')))
})

test('the installed kronctl explains a manifest without a cluster', () => {
  const args = ['explain', '-f', join(root, 'examples/kubernetes/nightly-backup.yaml')]
  const { status, stdout, stderr } = spawnSync(inRoot('usr/bin/kronctl'), args, { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  assert.match(stdout, /nightly-backup/)
})

test('no file names the machine that built it, or may be changed by others', () => {
  const files = readdirSync(inRoot('usr'), { recursive: true, withFileTypes: true }).filter(file =>
    file.isFile(),
  )
  for (const file of files) {
    const path = join(file.parentPath, file.name)
    assert.equal(statSync(path).mode & 0o022, 0, path)
    if (/\.(json|js|cjs|service|conf)$/.test(path))
      assert.ok(!readFileSync(path, 'utf8').includes(work), path)
  }
})

test('the unit is one that systemd accepts', () => {
  if (!has('systemd-analyze')) return
  const unit = readFileSync(inRoot('usr/lib/systemd/system/krond.service'), 'utf8')
  const place = join(work, 'krond.service')
  writeFileSync(place, unit.replaceAll('/usr/bin/krond', inRoot('usr/bin/krond')))
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', place], { encoding: 'utf8' })
  assert.equal(
    stderr
      .split('\n')
      .filter(line => line.includes('krond'))
      .join('\n'),
    '',
  )
  assert.equal(status, 0)
})

test('the unit keeps jobs alive over a restart and takes nothing from them', () => {
  const unit = readFileSync(inRoot('usr/lib/systemd/system/krond.service'), 'utf8')
  for (const line of [
    'Type=notify',
    'NotifyAccess=main',
    'KillMode=process',
    'Delegate=yes',
    'IgnoreSIGPIPE=no',
  ])
    assert.match(unit, new RegExp(`^${line}$`, 'm'))
  assert.doesNotMatch(unit, /^(NoNewPrivileges|Protect|Private|Restrict|SystemCall|CapabilityBounding)/m)
})

test('sysusers and tmpfiles entries are understood', () => {
  if (!has('systemd-sysusers')) return
  for (const [program, file] of [
    ['systemd-sysusers', 'usr/lib/sysusers.d/kron.conf'],
    ['systemd-tmpfiles', 'usr/lib/tmpfiles.d/kron.conf'],
  ] as const) {
    const args = program === 'systemd-tmpfiles' ? ['--create'] : []
    const { status, stderr } = spawnSync(program, [...args, `--root=${target}`, inRoot(file)], {
      encoding: 'utf8',
    })
    assert.equal(status, 0, stderr)
  }
  assert.match(readFileSync(inRoot('etc/passwd'), 'utf8'), /^kron:/m)
})

test('the installed man pages can be read', () => {
  const page = execFileSync('gzip', ['-dc', inRoot('usr/share/man/man8/krond.8.gz')], { encoding: 'utf8' })
  if (has('groff')) {
    const { stderr } = spawnSync('groff', ['-man', '-ww', '-Tutf8'], { input: page, encoding: 'utf8' })
    assert.equal(stderr, '')
  }
})

/** A schedule whose next run is only seconds away: the salt decides, so one is looked for. */
function soonSchedule(identity: string): string {
  const now = Math.floor(Date.now() / 1000)
  for (let salt = 0; ; salt++) {
    const text = `* * * * * @win(after,59s) @seed(stable,salt=${salt}) @policy(deadline=30s)`
    const read = parseSchedule(text)
    assert.ok(read.ok)
    const [decision] = upcoming({ identity, schedule: read.value }, now + 4)
    if (decision!.chosen! <= now + 8) return text
  }
}

test('the installed krond runs a job, reloads and stops without Node', async () => {
  const home = mkdtempSync(join(work, 'host-'))
  const jobs = join(home, 'jobs')
  const state = join(home, 'state')
  mkdirSync(jobs, { mode: 0o755 })
  mkdirSync(state, { mode: 0o700 })
  const path = join(jobs, 'a.kron')
  const schedule = soonSchedule(`${path}:once`)
  writeFileSync(path, `${schedule} name=once command=/usr/bin/env stdout=file:${home}/out\n`)
  const manager = serviceManager(join(home, 'notify'))
  const environment = { PATH: '/nonexistent', LANG: 'C.UTF-8' }
  const asService = { ...environment, NOTIFY_SOCKET: join(home, 'notify'), WATCHDOG_USEC: '1000000' }
  const krontab = spawnSync(inRoot('usr/bin/krontab'), ['lint', '--file', path], {
    env: environment,
    encoding: 'utf8',
  })
  assert.equal(krontab.status, 0, krontab.stderr)
  const args = [
    'start',
    '--config',
    jobs,
    '--state-dir',
    state,
    '--pid-file',
    join(home, 'pid'),
    '--log-format',
    'json',
  ]
  const daemon = spawn(inRoot('usr/bin/krond'), args, {
    env: asService,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(daemon)
  let log = ''
  daemon.stdout.on('data', (data: Buffer) => (log += data))
  daemon.stderr.on('data', (data: Buffer) => (log += data))
  const seen = async (what: RegExp): Promise<void> => {
    for (let i = 0; i < 600 && !what.test(log); i++) await sleep(50)
    assert.match(log, what)
  }
  await seen(/"event":"finished".*"exit_code":0/)
  const environmentOfJob = readFileSync(join(home, 'out'), 'utf8')
  assert.match(environmentOfJob, /^KRON_JOB=once$/m)
  assert.doesNotMatch(environmentOfJob, /^(NOTIFY_SOCKET|WATCHDOG_)/m)
  assert.match(manager.heard(), /^READY=1$/m)
  assert.match(manager.heard(), /^WATCHDOG=1$/m)
  daemon.kill('SIGHUP')
  await seen(/"event":"reload"/)
  const { stdout } = spawnSync(inRoot('usr/bin/krond'), ['status', '--state-dir', state], {
    env: environment,
    encoding: 'utf8',
  })
  assert.match(stdout, /jobs +1/)
  const over = new Promise<number | null>(resolve => daemon.on('exit', resolve))
  daemon.kill('SIGTERM')
  assert.equal(await over, 0)
  assert.match(manager.heard(), /^RELOADING=1$/m)
  // kron-shim sends the messages, and may end a moment after krond.
  for (let tries = 0; tries < 100 && !/^STOPPING=1$/m.test(manager.heard()); tries++) await sleep(50)
  assert.match(manager.heard(), /^STOPPING=1$/m)
  manager.close()
})

test('lintian finds no error', { skip: has('lintian') ? false : 'there is no lintian' }, () => {
  const { status, stdout } = spawnSync('lintian', ['--fail-on', 'error', '--allow-root', deb], {
    encoding: 'utf8',
  })
  assert.deepEqual(
    stdout.split('\n').filter(line => line.startsWith('E:')),
    [],
  )
  assert.equal(status, 0, 'lintian itself failed')
})

test('a purge leaves nothing of the package', () => {
  mkdirSync(inRoot('var/lib/krond'), { recursive: true })
  execFileSync('dpkg', [...DPKG, '--purge', 'kron'], { stdio: 'pipe' })
  const left = readdirSync(target, { recursive: true, encoding: 'utf8' }).filter(
    path => /kron/.test(path) && !/kronctl/.test(path) && !path.startsWith('var/lib/dpkg'),
  )
  assert.deepEqual(left, [])
})
