/** The packages as npm would publish them: checked, then used in an empty project: `npm run verify -- packages`. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { install, npm, pack, publishedPackages, root, version } from '../../scripts/packages.ts'

/** Those that `require` can load too. */
const BOTH = ['core', 'runtime', 'shim', 'scheduler']
/** Static files: there are no types to check. */
const ASSETS = ['console']
const LIBRARIES = publishedPackages()
  .map(({ name }) => name.slice('@kron/'.length))
  .filter(name => !ASSETS.includes(name))
const PUBLINT = 'publint@0.3.25'
const ATTW = '@arethetypeswrong/cli@0.18.5'

const SMOKE = `
import assert from 'node:assert/strict'
import { decide, next, parseSchedule } from '@kron/core'
import { makeScheduler, memoryStore } from '@kron/scheduler'

const schedule = parseSchedule('0 2 * * * @win(after,2h)')
assert.ok(schedule.ok)
const job = { identity: 'smoke', schedule: schedule.value }
const nominal = next(schedule.value.cron, schedule.value.zone, 1_772_323_200)
const decision = decide(job, nominal)
assert.ok(decision.chosen >= nominal && decision.chosen <= nominal + 7200)
assert.deepEqual(decide(job, nominal), decision)

const scheduler = makeScheduler({ store: memoryStore() })
await scheduler.initialize([['smoke', '0 2 * * *', async () => {}, 60_000]])
await scheduler.stop()
`

const work = mkdtempSync(join(tmpdir(), 'kron-packages-'))
const say = (text: string): void => console.log(`packages: ${text}`)

function run(program: string, args: readonly string[], cwd = work): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${basename(program)} ${args.join(' ')} failed:\n${stdout}${stderr}`)
  return stdout
}

function check(tarballs: readonly string[]): void {
  const tools = join(work, 'tools')
  install([PUBLINT, ATTW], tools)
  for (const tarball of tarballs) {
    run(join(tools, 'node_modules/.bin/publint'), [tarball, '--strict'])
    // Some packages are ES modules only; then only the resolutions that understand them are asked for.
    const both = BOTH.some(name => basename(tarball).startsWith(`kron-${name}-`))
    run(join(tools, 'node_modules/.bin/attw'), both ? [tarball] : [tarball, '--profile', 'esm-only'])
    say(`${basename(tarball)} passes publint and attw`)
  }
}

/** A licence, and nothing that only tests need. */
function checkContents(tarball: string): void {
  const files = run('tar', ['-tzf', tarball]).split('\n')
  if (!files.includes('package/LICENSE')) throw new Error(`${basename(tarball)} has no LICENSE`)
  const stray = files.filter(file => /\.test|test-support|fixtures/.test(file))
  if (stray.length > 0) throw new Error(`${basename(tarball)} contains ${stray.join(', ')}`)
}

function use(tarballs: readonly string[]): void {
  const project = join(work, 'project')
  install(tarballs, project)
  writeFileSync(join(project, 'smoke.mjs'), SMOKE)
  writeFileSync(join(project, 'hello.kron'), '@hourly name=hello command="/bin/echo hello"\n', {
    mode: 0o644,
  })
  const oldest = existsSync('/usr/bin/node') ? ['/usr/bin/node'] : []
  for (const node of new Set([...oldest, process.execPath])) {
    run(node, ['smoke.mjs'], project)
    for (const program of ['krontab', 'krond', 'kronctl', 'kron-operator']) {
      const said = run(node, [join(project, 'node_modules/.bin', program), '--version'], project)
      if (!said.includes(version)) throw new Error(`${program} --version says ${said}`)
    }
    const help = run(node, [join(project, 'node_modules/.bin/krontab'), 'import', '--help'], project)
    if (!help.includes('--suggest')) throw new Error(`krontab import --help says ${help}`)
    // Fails unless the packages brought kron-shim with them.
    const ran = run(
      node,
      [join(project, 'node_modules/.bin/krontab'), 'run', 'hello', '--file', 'hello.kron'],
      project,
    )
    if (ran !== 'hello\n') throw new Error(`krontab run prints ${ran}`)
    say(`installed and used under ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}`)
  }
}

try {
  npm(root, 'run', 'build', '--silent')
  const libraries = pack(LIBRARIES, join(work, 'packed'))
  const all = [...libraries, ...pack(ASSETS, join(work, 'packed'))]
  for (const tarball of all) checkContents(tarball)
  check(libraries)
  use(all)
} finally {
  rmSync(work, { recursive: true })
}
