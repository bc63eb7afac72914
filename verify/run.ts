/** Runs one suite: `npm run verify -- SUITE [words]`; the words go to the suite, `--help` too. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { SUITES } from './suites.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const [name, ...words] = process.argv.slice(2)

function help(): string {
  const lines = Object.entries(SUITES).flatMap(([suite, { summary, example }]) => [
    `  ${suite.padEnd(14)} ${summary}`,
    `  ${''.padEnd(14)}   npm run verify -- ${example}`,
  ])
  return ['usage: npm run verify -- SUITE [options of the suite]', '', ...lines, ''].join('\n')
}

function run(program: string, args: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', cwd: root })
  if (error !== undefined) console.error(`error: cannot run ${program}: ${error.message}`)
  if (status !== 0) process.exit(status ?? 1)
}

if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
  console.log(help())
  process.exit(name === undefined ? 2 : 0)
}
const suite = SUITES[name]
if (suite === undefined) {
  console.error(`error: there is no suite ${name}\n\n${help()}`)
  process.exit(2)
}
for (const script of suite.first ?? []) run('npm', ['run', '--silent', script])
run(process.execPath, [...suite.node, ...words])
