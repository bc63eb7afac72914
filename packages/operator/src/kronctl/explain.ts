import type { Given } from '@kron/cli'
import {
  type Decision,
  explain,
  explanationRecordOf,
  type Job,
  next,
  nextDecisions,
  printDuration,
  printInstant,
  recordOf,
  upcoming,
} from '@kron/core'
import type { EXPLAIN_OPTIONS, NEXT_OPTIONS } from './command.ts'
import { kronJobName, outputOf, printObject } from './output.ts'
import { instantOf, subjects } from './subject.ts'
import { Complaint, type Terminal } from './terminal.ts'

export async function runExplain(
  options: Given<typeof EXPLAIN_OPTIONS>,
  terminal: Terminal,
  name: string | undefined,
): Promise<number> {
  const from = instantOf(options.at, terminal.now)
  for (const job of await subjects(name, options, terminal)) {
    const nominal =
      options.period === undefined ? nextOf(job, from).nominal : checkedPeriod(job, options.period)
    const explanation = explain(job, nominal)
    const output = outputOf(options)
    if (output === 'text') terminal.out(explanationText(explanation))
    else if (output === 'name') terminal.out(`${kronJobName(job.identity)}\n`)
    else printObject(explanationRecordOf(explanation), output, terminal)
  }
  return 0
}

export async function runNext(
  options: Given<typeof NEXT_OPTIONS>,
  terminal: Terminal,
  name: string | undefined,
): Promise<number> {
  const from = instantOf(options.at, terminal.now)
  const count = Number(options.count ?? '5')
  if (!Number.isInteger(count) || count < 1) throw new Complaint('--count must be a whole number above 0')
  const output = outputOf(options)
  for (const job of await subjects(name, options, terminal)) {
    if (output === 'name') {
      terminal.out(`${kronJobName(job.identity)}\n`)
      continue
    }
    for (const decision of nextDecisions(job, from, count)) {
      if (output !== 'text') printObject(recordOf(decision), output, terminal, 0)
      else
        terminal.out(`${job.identity}  ${chosenText(decision)}  period ${printInstant(decision.nominal)}\n`)
    }
  }
  return 0
}

function nextOf(job: Job, from: number): Decision {
  const first = upcoming(job, from).next().value
  if (first) return first
  throw new Complaint(`${job.identity} has no period after ${printInstant(from)}`)
}

function checkedPeriod(job: Job, text: string): number {
  const nominal = instantOf(text, 0)
  const { cron, zone } = job.schedule
  if (next(cron, zone, nominal - 1) === nominal) return nominal
  throw new Complaint(`${text} is no nominal time of ${job.identity}`)
}

const chosenText = ({ chosen }: Decision): string =>
  chosen === null ? 'unschedulable       ' : printInstant(chosen)

function explanationText(explanation: ReturnType<typeof explain>): string {
  const { decision, attempts } = explanation
  const { window, zone, seed, distribution } = decision.job.schedule
  const record = recordOf(decision)
  const parameters = Object.entries(record.params).map(([key, value]) => ` ${key}=${value}`)
  const lines = [
    `${record.identity}, period ${record.periodId}`,
    `  chosen        ${record.chosenTime ?? `none: ${record.reason}`}`,
    `  window        ${record.windowStart} to ${record.windowEnd} (${window.mode} ${printDuration(window.duration)})`,
    `  zone          ${zone.name}`,
    `  distribution  ${distribution.name}${parameters.join('')}`,
    `  constraints   ${record.constraints || 'none'}`,
    `  seed          ${seed.strategy}, key ${record.periodKey}${seed.salt === '' ? '' : `, salt ${JSON.stringify(seed.salt)}`}`,
    `  hash          ${record.seedHash}`,
    ...Object.entries(record.calendars ?? {}).map(([name, digest]) => `  calendar      ${name} ${digest}`),
    ...(record.weightsDigest === undefined ? [] : [`  weights       ${record.weightsDigest}`]),
    ...(record.weightsFallback === undefined
      ? []
      : [`  weights       spread evenly: ${record.weightsFallback}`]),
  ]
  for (const [i, { u, x, offset, candidate, rejectedBy }] of attempts.entries()) {
    const verdict = rejectedBy === undefined ? 'accepted' : `refused by ${rejectedBy}`
    const figures = `u=${u.toFixed(6)} x=${x.toFixed(6)} +${offset}s`
    lines.push(`  attempt ${String(i + 1).padStart(2)}    ${figures}  ${printInstant(candidate)}  ${verdict}`)
  }
  return `${lines.join('\n')}\n`
}
