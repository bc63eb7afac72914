/** Size, import time and memory of the scheduler beside node-cron and croner, and its stores: `npm run verify -- scheduler-figures`. */
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { npm, pack } from '../../scripts/packages.ts'

const ROUNDS = 15
const TASKS = 1_000
const COMMITS = 2_000

/** How each library schedules a task that is not due for long. */
const CONTENDERS = [
  {
    name: '@kron/scheduler',
    schedule: `const s = m.makeScheduler({ store: m.memoryStore() }); await s.initialize(Array.from({ length: ${TASKS} }, (_, i) => ['t' + i, '0 0 1 1 *', () => {}, 0]))`,
  },
  { name: 'node-cron', schedule: `for (let i = 0; i < ${TASKS}; i++) m.schedule('0 0 1 1 *', () => {})` },
  { name: 'croner', schedule: `for (let i = 0; i < ${TASKS}; i++) new m.Cron('0 0 1 1 *', () => {})` },
]

const work = mkdtempSync(join(tmpdir(), 'kron-figures-'))
const median = (values: number[]): number => values.sort((one, other) => one - other)[values.length >> 1]!

function numbersOf(directory: string, program: string): number[] {
  writeFileSync(join(directory, 'measure.mjs'), program)
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--no-warnings', '--expose-gc', 'measure.mjs'],
    {
      cwd: directory,
      encoding: 'utf8',
    },
  )
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as number[]
}

function install(name: string): string {
  const directory = mkdtempSync(join(work, 'project-'))
  writeFileSync(join(directory, 'package.json'), '{ "private": true, "type": "module" }')
  const packages = name.startsWith('@kron')
    ? pack(['core', 'runtime', 'scheduler'], join(work, 'packed'))
    : [name]
  npm(directory, 'install', '--ignore-scripts', '--omit=peer', ...packages)
  return directory
}

function contender(name: string, schedule: string): string[] {
  const directory = install(name)
  const files = globSync('node_modules/**/*', { cwd: directory }).map(file => statSync(join(directory, file)))
  const bytes = files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
  const packages = globSync(['node_modules/*/package.json', 'node_modules/@*/*/package.json'], {
    cwd: directory,
  }).length
  const time = (load: string) =>
    `const from = performance.now(); ${load}; console.log(JSON.stringify([performance.now() - from]))`
  const importing = Array.from(
    { length: ROUNDS },
    () => numbersOf(directory, time(`await import('${name}')`))[0]!,
  )
  const requiring = Array.from(
    { length: ROUNDS },
    () =>
      numbersOf(
        directory,
        `import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)\n${time(`require('${name}')`)}`,
      )[0]!,
  )
  const memory = Array.from(
    { length: 5 },
    () =>
      numbersOf(
        directory,
        `gc(); const before = process.memoryUsage().rss; const m = await import('${name}'); ${schedule}; gc()
       console.log(JSON.stringify([(process.memoryUsage().rss - before) / 1e6])); process.exit()`,
      )[0]!,
  )
  const { version } = JSON.parse(
    spawnSync(process.execPath, ['-p', `JSON.stringify(require('./node_modules/${name}/package.json'))`], {
      cwd: directory,
      encoding: 'utf8',
    }).stdout,
  ) as { version: string }
  return [
    `${name} ${version}`,
    `${(bytes / 1e6).toFixed(2)} MB`,
    String(packages),
    `${Math.min(...importing).toFixed(1)} ms`,
    `${Math.min(...requiring).toFixed(1)} ms`,
    `${median(memory).toFixed(1)} MB`,
  ]
}

function stores(): string[][] {
  const directory = install('@kron/scheduler')
  return ['fileStore', 'sqliteStore'].map(store => {
    const [single, batched] = numbersOf(
      directory,
      `import * as kron from '@kron/scheduler'
       const store = kron.${store}(${JSON.stringify(join(work, store))})
       await store.load()
       const record = (i, at) => ({ name: 'task-' + i, cronExpression: '* * * * *', retryDelayMs: 0, firstSeenAt: 1, lastAttemptAt: at })
       let from = performance.now()
       for (let i = 0; i < ${COMMITS}; i++) await store.commit({ put: [record(i % 100, i)], remove: [] })
       const single = ${COMMITS} / (performance.now() - from) * 1000
       const many = Array.from({ length: 1000 }, (_, i) => record(i, 5))
       from = performance.now()
       for (let i = 0; i < 50; i++) await store.commit({ put: many, remove: [] })
       console.log(JSON.stringify([single, 50_000 / (performance.now() - from) * 1000]))
       await store.close()`,
    )
    return [store, `${Math.round(single!)}/s`, `${Math.round(batched!)}/s`]
  })
}

function table(rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(rows[0]!), line(rows[0]!.map(() => '---')), ...rows.slice(1).map(line)].join('\n')
}

try {
  const header = ['', 'installed', 'packages', 'import', 'require', `memory with ${TASKS} tasks`]
  console.log(table([header, ...CONTENDERS.map(({ name, schedule }) => contender(name, schedule))]))
  console.log(`\n${table([['', 'commits of one task', 'tasks in commits of 1,000'], ...stores()])}`)
  console.log(
    `\nNode ${process.version}; the least of ${ROUNDS} fresh processes, which other work on the machine disturbs least; medians of 5 for memory; every commit is durable.`,
  )
} finally {
  rmSync(work, { recursive: true, force: true })
}
