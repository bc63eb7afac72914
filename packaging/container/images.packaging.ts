/** The Dockerfiles, built and run without a container engine: `npm run verify -- images`. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { root, version } from '../../scripts/packages.ts'
import { makeBaseImages } from './base-images.ts'
import { Buildah } from './buildah.ts'
import { runImage } from './run-image.ts'

const work = mkdtempSync(join(tmpdir(), 'kron-images-'))
const context = join(work, 'context')
const buildah = new Buildah(work)
const children: ChildProcess[] = []
const cache = process.env['npm_config_cache'] ?? join(homedir(), '.npm')

before(() => {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of files.split('\0')) {
    if (file === '' || !existsSync(join(root, file))) continue
    mkdirSync(dirname(join(context, file)), { recursive: true })
    cpSync(join(root, file), join(context, file))
  }
  mkdirSync(cache, { recursive: true })
  makeBaseImages(buildah, work)
})

after(() => {
  for (const child of children) child.kill('SIGKILL')
  buildah.run('rm', '--all')
  rmSync(work, { recursive: true, force: true })
})

/** What the first job looks at; the orphan it leaves behind ends before the second job looks for zombies. */
const LOOK = [
  'id -u',
  'touch /x || echo refused',
  'cat /proc/1/comm',
  'command -v node || echo no node',
  'krontab --version',
  '(sleep 0.2; exit 0) & exit 0',
].join('; ')
const ZOMBIES =
  'sleep 2; n=0; for each in /proc/[0-9]*/stat; do case $(cut -d\\) -f2 $each) in *Z*) n=1;; esac; done; echo zombies $n'

test("krond's image runs a job as an ordinary user on a read-only root, with tini as the first process", async () => {
  buildah.build(context, 'packaging/container/krond.Dockerfile', 'localhost/krond', cache)
  const config = buildah.configOf('localhost/krond')
  assert.equal(config.User, 'kron')
  const jobs = join(work, 'jobs')
  mkdirSync(jobs)
  const job = (name: string, command: string): string =>
    `* * * * * @policy(deadline=59s) name=${name} shell=true command=${JSON.stringify(command)}\n`
  writeFileSync(
    join(jobs, 'a.kron'),
    job('look', LOOK) + job('zombies', ZOMBIES) + job('long', 'sleep 15; echo completed'),
  )
  const krond = runImage(buildah.mount('localhost/krond'), config, jobs)
  children.push(krond)
  let log = ''
  krond.stdout!.on('data', (data: Buffer) => (log += data))
  krond.stderr!.on('data', (data: Buffer) => (log += data))
  const over = once(krond, 'exit')
  const count = (what: RegExp): number => log.match(what)?.length ?? 0
  while (krond.exitCode === null && count(/"event":"finished"/g) < 2)
    await new Promise(resolve => setTimeout(resolve, 200))
  assert.equal(count(/"event":"started"/g), 3, log)
  // The signal goes to the first process of the container, as an engine sends it.
  process.kill(firstOf(krond.pid!), 'SIGTERM')
  await over
  const said = [...log.matchAll(/"event":"output".*"text":"(.*)"/g)].map(([, text]) => text)
  for (const expected of ['1000', 'refused', 'tini', 'no node', 'zombies 0'])
    assert.ok(said.includes(expected), `${expected} is not in:\n${log}`)
  assert.ok(
    said.some(text => text!.startsWith(`krontab ${version} `)),
    log,
  )
  // A stop waits for running jobs.
  assert.match(log, /"text":"completed".*"phase":"stopped"/s)
})

/** The child of `unshare` is the first process of its namespace. */
const firstOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0])

test("the operator's image tells its version on a read-only root, as nobody in particular", async () => {
  buildah.build(context, 'packaging/container/kron-operator.Dockerfile', 'localhost/kron-operator', cache)
  const config = buildah.configOf('localhost/kron-operator')
  assert.equal(config.User, '65532:65532')
  const operator = runImage(buildah.mount('localhost/kron-operator'), config, '', ['--version'])
  children.push(operator)
  let said = ''
  operator.stdout!.on('data', (data: Buffer) => (said += data))
  operator.stderr!.on('data', (data: Buffer) => (said += data))
  await once(operator, 'exit')
  assert.ok(said.includes(version), said)
})
