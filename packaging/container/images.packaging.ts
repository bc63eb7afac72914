/** The Dockerfiles, built and run without a container engine: `npm run verify -- images`. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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

test("krond's image runs a job as an ordinary user on a read-only root, with tini as the first process", async () => {
  buildah.build(context, 'packaging/container/krond.Dockerfile', 'localhost/krond', cache)
  const config = buildah.configOf('localhost/krond')
  assert.equal(config.User, 'node')
  const jobs = join(work, 'jobs')
  mkdirSync(jobs)
  const look = 'id -u; touch /x || echo refused; cat /proc/1/comm; sleep 1 & exit 0'
  writeFileSync(
    join(jobs, 'a.kron'),
    `* * * * * @policy(deadline=59s) name=look shell=true command="${look}"\n`,
  )
  const krond = runImage(buildah.mount('localhost/krond'), config, jobs)
  children.push(krond)
  let log = ''
  krond.stdout!.on('data', (data: Buffer) => (log += data))
  krond.stderr!.on('data', (data: Buffer) => (log += data))
  const over = once(krond, 'exit')
  while (krond.exitCode === null && !/"event":"finished"/.test(log))
    await new Promise(resolve => setTimeout(resolve, 200))
  process.kill(-krond.pid!, 'SIGTERM')
  await over
  assert.match(log, /^1000$/m, log)
  assert.match(log, /^refused$/m)
  assert.match(log, /^tini$/m)
  assert.match(log, /"phase":"stopped"/)
})

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
