import { type Remark, visible } from '@kron/cli'
import { type Entry, parseJobFile, quoted } from '@kron/host'
import type { Conversion, ImportedJob, Setting } from './imported.ts'
import { uniqueNames } from './name.ts'
import { type Timing, timingText } from './timing.ts'

/** An imported job as an entry of the new file. */
export interface NewEntry {
  readonly job: ImportedJob
  readonly entry: Entry
}

export interface NewFile {
  readonly text: string
  readonly entries: readonly NewEntry[]
  /** The remarks of all sources, and those about lines that the format itself refuses. */
  readonly remarks: readonly Remark[]
}

/** Replaces the timing of some jobs. */
export type Retime = (job: ImportedJob, name: string) => Timing

/** The new job file at `path`: in the order of the sources, with their comments and every remark in its place. */
export function writeJobFile(
  conversions: readonly Conversion[],
  path: string,
  retime: Retime = job => job.timing,
): NewFile {
  const names = namesOf(conversions)
  const lines: string[] = []
  const remarks: Remark[] = []
  const entries: NewEntry[] = []
  const say = (remark: Remark): void => {
    remarks.push(remark)
    lines.push(
      `# ${remark.kind}:${remark.line === 0 ? '' : ` line ${remark.line}:`} ${visible(remark.message)}`,
    )
  }
  for (const { file, pieces } of conversions) {
    if (lines.length > 0) lines.push('')
    lines.push(`# from ${visible(file)}`)
    for (const piece of pieces) {
      if (piece.kind === 'comment') lines.push(visible(piece.text))
      else if (piece.kind === 'remark') say(piece.remark)
      else {
        const { job } = piece
        const name = names.get(job)!
        const line = lineOf(job, name, retime(job, name))
        const read = parseJobFile(line, path)
        const entry = read.entries[0]
        if (entry === undefined || read.faults.length > 0 || line.includes('\n')) {
          const why = read.faults[0]?.message ?? 'it holds a line break'
          say({ file: job.file, line: job.line, kind: 'lost', message: `${name}: ${why}` })
        } else {
          entries.push({ job, entry })
          lines.push(line)
        }
      }
    }
  }
  return { text: `${lines.join('\n')}\n`, entries, remarks }
}

function namesOf(conversions: readonly Conversion[]): Map<ImportedJob, string> {
  const jobs = conversions.flatMap(({ pieces }) =>
    pieces.flatMap(each => (each.kind === 'job' ? [each.job] : [])),
  )
  const names = uniqueNames(jobs.map(job => ({ wish: job.wish, content: lineOf(job, job.wish, job.timing) })))
  return new Map(jobs.map((job, i) => [job, names[i]!]))
}

function lineOf(job: ImportedJob, name: string, timing: Timing): string {
  const fields = [`name=${name}`, `command=${quoted(job.command)}`]
  if (job.shell) fields.push('shell=true')
  return [timingText(timing), ...fields, ...job.settings.map(settingText)].join(' ')
}

function settingText([key, value]: Setting): string {
  if (key !== 'env') return `${key}=${quoted(value)}`
  const equals = value.indexOf('=') + 1
  const rest = value.slice(equals)
  return `env=${value.slice(0, equals)}${rest === '' ? '' : quoted(rest)}`
}
