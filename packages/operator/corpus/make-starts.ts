// Asks robfig/cron, which Kubernetes uses, for the next starts of the corpus: `node corpus/make-starts.ts`, with Go.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'

const here = import.meta.dirname
const FROM = Date.parse('2026-01-15T00:00:00Z') / 1000
const COUNT = 100

interface CronJob {
  readonly metadata: { readonly name: string }
  readonly spec: { readonly schedule: string; readonly timeZone?: string }
}

const cronJobs = parseAllDocuments(readFileSync(join(here, 'cronjobs.yaml'), 'utf8')).map(
  each => each.toJS() as CronJob,
)
const questions = cronJobs.map(({ spec: { schedule, timeZone = '' } }) => ({
  schedule,
  timeZone,
  from: FROM,
  count: COUNT,
}))
const { stdout, stderr, status } = spawnSync('go', ['run', '.'], {
  cwd: join(here, 'robfig'),
  input: questions.map(each => `${JSON.stringify(each)}\n`).join(''),
  encoding: 'utf8',
  maxBuffer: 1 << 26,
})
if (status !== 0) throw new Error(stderr)
const answers = stdout
  .trimEnd()
  .split('\n')
  .map(line => JSON.parse(line) as { starts: number[]; error?: string })
const lines = cronJobs.map(({ metadata }, i) => {
  const { starts, error } = answers[i]!
  const minutes = starts.map(each => each / 60)
  return `${JSON.stringify(metadata.name)}: ${JSON.stringify(error === undefined ? { minutes } : { error })}`
})
writeFileSync(join(here, 'starts.json'), `{"from": ${FROM}, "cronJobs": {\n${lines.join(',\n')}\n}}\n`)
