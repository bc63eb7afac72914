import { resolve } from 'node:path'
import { type Given, plural, problemText, type Style, styleOf, withProgress } from '@kron/cli'
import { readJobFile, Sharing } from '@kron/host'
import type { CommandContext } from '../context/command-context.ts'
import { instantOption } from '../context/option-values.ts'
import { printJson } from '../context/print.ts'
import { BAD_INPUT, INVALID, OK } from '../context/refusal.ts'
import type { Run } from '../context/run.ts'
import { isReadByKrond } from '../daemon/places.ts'
import { readHosts } from '../fleet/hosts-file.ts'
import { defaultSalt } from '../fleet/salts.ts'
import { identityPath, jobFilePaths, trustOf } from '../job-files/load.ts'
import type { LintFleet } from '../lint/herd.ts'
import { type FileReport, reportOf } from '../lint/report.ts'
import type { LINT } from '../program/preview-commands.ts'

export const run: Run<typeof LINT> = (context, given, [file]) => {
  const options = file === undefined ? given : { ...given, file: [...given.file, file] }
  const at = instantOption('at', options.at, context)
  const sharing = new Sharing()
  const fleet = fleetOf(context, options)
  const trust = trustOf(context, options['follow-symlinks'])
  const { calendars, curves } = context
  const reports = jobFilePaths(context, options).map(file => {
    const read = readJobFile(resolve(context.cwd, file))
    const isUsedHere = isReadByKrond(context, resolve(context.cwd, file))
    const lint = { trust, at, sharing, calendars, curves, fleet, isUsedHere }
    return withProgress(context, `checking ${file}`, progress =>
      reportOf(file, identityPath(context, file, {}), read, { ...lint, progress }),
    )
  })
  const failed = (report: FileReport): boolean =>
    report.errors.length > 0 || (options.strict && report.warnings.length > 0)
  if (options.format === 'json') {
    const documents = reports.map(report => documentOf(report, !failed(report)))
    printJson(context, documents.length === 1 ? documents[0] : documents)
  } else printReports(context, reports)
  for (const { file, errors } of reports.filter(report => !report.readable)) {
    context.err(`error: ${file}: ${errors[0]!.message}\n  hint: ${errors[0]!.hint}\n`)
  }
  if (reports.some(report => !report.readable)) return BAD_INPUT
  return reports.some(failed) ? INVALID : OK
}

function fleetOf(
  context: CommandContext,
  { hosts, salt }: Given<typeof LINT.options>,
): LintFleet | undefined {
  if (hosts === undefined) return undefined
  let count = 0
  for (const { places } of readHosts(context, hosts)) count += places.length
  return { hosts: count, salt: defaultSalt(context, { salt }).text }
}

const documentOf = ({ file, errors, warnings }: FileReport, valid: boolean) => ({
  file,
  valid,
  errors: errors.map(({ line, column, message, hint }) => ({ line, column, message, hint })),
  warnings: warnings.map(({ line, column, message, hint, rule, job }) => ({
    line,
    column,
    message,
    hint,
    rule,
    job,
  })),
})

const CHUNK = 65_536

function printReports(context: CommandContext, reports: readonly FileReport[]): void {
  const style = styleOf(context.terminal)
  let text = ''
  const add = (part: string): void => {
    text += part
    if (text.length > CHUNK) {
      context.out(text)
      text = ''
    }
  }
  for (const { file, errors, warnings, readable } of reports) {
    if (!readable) continue
    const all = [
      ...errors.map(each => ({ ...each, kind: 'error' as const, rule: '' })),
      ...warnings.map(each => ({ ...each, kind: 'warning' as const })),
    ].sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))
    for (const { kind, rule, ...problem } of all) add(problemText(file, kind, rule, problem, style))
  }
  add(`${summary(reports, style)}\n`)
  context.out(text)
}

function summary(reports: readonly FileReport[], style: Style): string {
  const errors = reports.reduce((sum, report) => sum + report.errors.length, 0)
  const warnings = reports.reduce((sum, report) => sum + report.warnings.length, 0)
  const counts = `${plural(errors, 'error')}, ${plural(warnings, 'warning')} in ${plural(reports.length, 'file')}`
  return errors > 0 ? style.bad(counts) : warnings > 0 ? style.warn(counts) : style.good(counts)
}
