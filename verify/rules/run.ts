/** Tests krond's Prometheus rules with promtool: the system's, or the one of Debian's package, fetched once. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const cache = `${root}node_modules/.cache/kron-promtool`
const rules = `${root}packaging/prometheus`

function promtool(): string {
  if (spawnSync('promtool', ['--version']).status === 0) return 'promtool'
  const program = `${cache}/usr/bin/promtool`
  if (existsSync(program)) return program
  mkdirSync(cache, { recursive: true })
  execFileSync('apt-get', ['download', 'prometheus'], { cwd: cache, stdio: 'inherit' })
  const archive = readdirSync(cache).find(name => name.endsWith('.deb'))
  if (archive === undefined) throw new Error('apt-get brought no package')
  execFileSync('dpkg', ['-x', archive, '.'], { cwd: cache })
  return program
}

const program = promtool()
const run = (...words: readonly string[]): number =>
  spawnSync(program, words, { cwd: rules, stdio: 'inherit' }).status ?? 1
process.exitCode = run('check', 'rules', 'krond-rules.yaml') || run('test', 'rules', 'krond-rules.test.yaml')
