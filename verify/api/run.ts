/** Tries the API of a running krond against its OpenAPI file, with schemathesis (PyPI) in an environment of its own. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const cache = `${root}node_modules/.cache/kron-schemathesis`
const VERSION = '4.32.5'

function schemathesis(): string {
  const program = `${cache}/bin/schemathesis`
  if (existsSync(program)) return program
  execFileSync('python3', ['-m', 'venv', cache], { stdio: 'inherit' })
  execFileSync(`${cache}/bin/pip`, ['install', '--quiet', `schemathesis==${VERSION}`], { stdio: 'inherit' })
  return program
}

const program = schemathesis()
const directory = mkdtempSync(`${tmpdir()}/kron-api-`)
mkdirSync(`${directory}/jobs`)
writeFileSync(
  `${directory}/jobs/all.kron`,
  [
    '* * * * * @win(after,30s) name=often command=/bin/true',
    '0 2 * * * @tz(Europe/Paris) @win(after,2h) name=backup command=/bin/false notify=command:/bin/true',
    '',
  ].join('\n'),
)
const port = 20_000 + (process.pid % 20_000)
const flags = ['--config', `${directory}/jobs`, '--state-dir', `${directory}/state`]
const daemon = spawn(
  process.execPath,
  [
    '--conditions=kron-source',
    `${root}packages/krond/src/bin/krond.ts`,
    'start',
    ...flags,
    ...[
      '--runtime-dir',
      `${directory}/run`,
      '--pid-file',
      `${directory}/pid`,
      '--listen',
      `127.0.0.1:${port}`,
    ],
    ...['--log-level', 'error'],
  ],
  { stdio: 'inherit' },
)

const url = `http://127.0.0.1:${port}`
for (let tries = 0; ; tries++) {
  const isReady = await fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
  if (isReady) break
  if (tries > 200) throw new Error('krond did not start')
  await new Promise(resolve => setTimeout(resolve, 50))
}
const token = readFileSync(`${directory}/state/token`, 'utf8').trim()
const run = (name: string, ...words: readonly string[]): number => {
  process.stdout.write(`\n${name}\n`)
  const { status } = spawnSync(
    program,
    [
      'run',
      `${root}docs/reference/openapi.json`,
      ...['--url', url, '--max-examples', '50', '--phases', 'examples,coverage,fuzzing', '--no-color'],
      ...['--exclude-path', '/api/v1/events', '--seed', '1'],
      ...['--rate-limit', '60/s', '--request-timeout', '20', '--suppress-health-check', 'filter_too_much'],
      // The server checks a body before it checks whether the job exists, and refuses unknown fields.
      ...['--exclude-checks', 'positive_data_acceptance'],
      ...words,
    ],
    { stdio: 'inherit', cwd: directory },
  )
  return status ?? 1
}
try {
  process.exitCode =
    run('with the token', '--header', `Authorization: Bearer ${token}`) || run('without a token')
} finally {
  daemon.kill('SIGTERM')
  await new Promise(resolve => daemon.on('exit', resolve))
  rmSync(directory, { recursive: true })
}
