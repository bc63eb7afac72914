/** The Debian package under systemd in a Debian without Node: from installation to purge. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  cpSync,
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
import { buildDeb } from '../../packaging/deb/build.ts'
import { KRON } from '../../packaging/deb/products.ts'
import { Machine, makeRoot, until } from './machine.ts'

const release = process.env['KRON_RELEASE'] ?? 'bookworm'
const cache = process.env['KRON_ROOTS'] ?? join(import.meta.dirname, '../../var/roots')
const work = mkdtempSync(join(tmpdir(), 'kron-systemd-'))
const root = join(work, 'root')
const machine = new Machine(root)
const hostNull = statSync('/dev/null').mode
let presentBefore: ReadonlySet<string>

/** Every file of the root but those that systemd and dpkg write by themselves. */
function filesOf(): Set<string> {
  const found = execFileSync('find', [root, '-xdev', '-not', '-type', 'd', '-printf', '%P\n'], {
    encoding: 'utf8',
  })
  return new Set(
    found
      .split('\n')
      .filter(
        path =>
          !/^(?:var\/(?:log|cache|lib\/(?:dpkg|apt|systemd))|run|tmp|kron|etc\/(?:machine-id|ld\.so))/.test(
            path,
          ),
      ),
  )
}

/** The same package with a higher version, as an update brings it. */
function newer(deb: string): string {
  const tree = join(work, 'newer')
  execFileSync('dpkg-deb', ['-R', deb, tree])
  const control = join(tree, 'DEBIAN/control')
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, '$&+next'))
  execFileSync('dpkg-deb', ['-Znone', '--root-owner-group', '-b', tree, join(root, 'kron-next.deb')], {
    stdio: 'pipe',
  })
  rmSync(tree, { recursive: true })
  return '/kron-next.deb'
}

before(async () => {
  mkdirSync(cache, { recursive: true })
  const archive = join(cache, `${release}.tar`)
  makeRoot(release, archive)
  mkdirSync(root)
  execFileSync('tar', ['-xf', archive, '-C', root])
  const deb = process.env['KRON_DEB'] ?? (await buildDeb(work, KRON))
  cpSync(deb, join(root, 'kron.deb'))
  presentBefore = filesOf()
  newer(deb)
  await machine.boot()
})
after(async () => {
  await machine.powerOff()
  rmSync(work, { recursive: true, force: true })
  assert.equal(statSync('/dev/null').mode, hostNull, "the host's /dev/null is as it was")
})

const APT = 'apt-get -y --no-install-recommends -o Dpkg::Use-Pty=0 install'
const mainPid = (): number => Number(machine.must('systemctl show -p MainPID --value krond'))
/** The process of the long job, seen from inside. */
const jobPid = (): string => machine.must(FIND_JOB)
const FIND_JOB =
  "for p in /proc/[0-9]*; do tr '\\0' ' ' < $p/cmdline 2>/dev/null | grep -q '^/bin/sleep 4321' && basename $p; done; true"

test('the package installs in the place of cron, and krond runs and starts at every boot', async () => {
  assert.notEqual(machine.run('command -v node').code, 0, 'there is no Node')
  assert.equal(machine.must('systemctl is-active cron'), 'active')
  machine.must(`${APT} /kron.deb /kron-debs/libatomic1_*.deb`)
  assert.notEqual(machine.run('command -v cron').code, 0, 'cron is gone')
  await until('krond is active', () => machine.must('systemctl is-active krond') === 'active')
  assert.equal(machine.must('systemctl is-enabled krond'), 'enabled')
  console.log(
    `${release}: ${machine.must('krond --version')}, ${machine.must('systemctl --version').split('\n')[0]}`,
  )
})

test('a reload takes up good files, and fails for systemctl if a file is refused', () => {
  machine.write(
    'etc/krond.d/jobs.kron',
    '0 1 1 1 * name=long command="/bin/sleep 4321"\n0 1 1 1 * name=short command=/bin/true\n',
  )
  machine.must('systemctl reload krond')
  machine.write('etc/krond.d/broken.kron', '61 * * * * name=x command=/bin/true\n')
  assert.notEqual(machine.run('systemctl reload krond').code, 0)
  assert.equal(machine.must('systemctl is-active krond'), 'active')
  rmSync(join(root, 'etc/krond.d/broken.kron'))
  machine.must('systemctl reload krond')
})

test('a running job outlives an upgrade, kill -9 and a stop, and is never started twice', async () => {
  machine.must('krontab trigger long')
  const job = jobPid()
  assert.match(job, /^\d+$/)
  const stillRuns = (what: string): void => assert.equal(jobPid(), job, `after ${what} the same job runs`)
  const isAdopted = (): boolean => /long/.test(machine.must('krond status'))

  const first = mainPid()
  machine.must(`${APT} /kron-next.deb`)
  await until('the new krond runs', () => mainPid() !== first && mainPid() > 0 && isAdopted())
  assert.match(machine.must('dpkg -s kron'), /Version: .*\+next/)
  stillRuns('an upgrade')

  const second = mainPid()
  machine.must(`kill -9 ${second}`)
  await until('systemd starts krond again', () => mainPid() !== second && mainPid() > 0 && isAdopted())
  stillRuns('kill -9')

  machine.must('systemctl stop krond')
  stillRuns('a stop')
  machine.must('systemctl start krond')
  await until('krond knows the job', isAdopted)
  stillRuns('a start')
  machine.must(`kill ${job}`)
  await until('its end is recorded', () => /SIGTERM|signal/.test(machine.run('krontab history long').out))
})

test('after a power failure krond is there again, remembers, and runs @reboot once', async () => {
  machine.write('etc/cron.d/boot', '@reboot root echo booted >> /var/tmp/booted\n')
  await machine.powerOff()
  await machine.boot()
  await until('krond is active', () => machine.must('systemctl is-active krond') === 'active')
  await until('@reboot has run', () => machine.must('cat /var/tmp/booted') === 'booted')
  machine.must('systemctl restart krond')
  await until('krond is active', () => machine.must('systemctl is-active krond') === 'active')
  assert.match(machine.run('krontab history long').out, /SIGTERM|signal/)
  await new Promise(resolve => setTimeout(resolve, 3_000))
  assert.equal(machine.must('cat /var/tmp/booted'), 'booted', 'once per boot')
  rmSync(join(root, 'etc/cron.d/boot'))
  rmSync(join(root, 'var/tmp/booted'))
})

test('remove stops it, and purge leaves nothing behind', async () => {
  rmSync(join(root, 'etc/krond.d/jobs.kron'))
  machine.must('apt-get -y remove kron')
  assert.notEqual(machine.run('systemctl is-active krond').out.trim(), 'active')
  assert.ok(readdirSync(join(root, 'etc')).includes('krond.conf'), 'remove keeps the configuration')
  machine.must('apt-get -y purge kron')
  const left = [...filesOf()].filter(path => !presentBefore.has(path) && path !== 'kron-next.deb')
  assert.deepEqual(
    left.filter(path => /kron/.test(path)),
    [],
  )
  console.log(`${release}: other files that were not there before: ${left.join(' ') || 'none'}`)
})
