import type { Given } from '@kron/runtime/cli'
import { type Document, parseAllDocuments, stringify } from 'yaml'
import { convertCronJob } from '../convert/cron-job.ts'
import type { CONVERT_OPTIONS } from './command.ts'
import { filesOf } from './files.ts'
import { Complaint, type Terminal } from './terminal.ts'

/**
 * CronJobs as KronJobs that start at the same minutes. Other objects stay as they are, and so does a CronJob that
 * cannot be converted; standard error says why, and what is different.
 */
export function runConvert({ filename }: Given<typeof CONVERT_OPTIONS>, terminal: Terminal): number {
  if (filename.length === 0) throw new Complaint('give a CronJob manifest with -f, or - for standard input')
  const texts: string[] = []
  let found = 0
  let refused = 0
  for (const file of filesOf(filename, terminal)) {
    for (const document of parseAllDocuments(terminal.read(file))) {
      const [error] = document.errors
      if (error) throw new Complaint(`${file}: ${error.message.split('\n', 1)[0]}`)
      for (const { value, text } of objectsOf(document)) {
        if ((value as { kind?: unknown }).kind !== 'CronJob') {
          texts.push(text())
          continue
        }
        found++
        const name = `${file}: ${(value as { metadata?: { name?: string } }).metadata?.name ?? 'a CronJob without a name'}`
        const conversion = convertCronJob(value)
        if (!conversion.ok) {
          refused++
          for (const fault of conversion.faults) terminal.error(`${name}: not converted: ${fault}\n`)
          texts.push(text())
          continue
        }
        for (const remark of conversion.remarks) terminal.error(`${name}: ${remark}\n`)
        texts.push(printed(conversion.manifest))
      }
    }
  }
  if (found === 0) throw new Complaint('there is no CronJob in it')
  terminal.out(texts.join('---\n'))
  return refused === 0 ? 0 : 1
}

const printed = (value: unknown): string => stringify(value, { aliasDuplicateObjects: false })

/** The objects of a document; a list, as `kubectl get -o yaml` prints it, stands for its items. */
function objectsOf(document: Document.Parsed): { value: object; text: () => string }[] {
  const value: unknown = document.toJS({ maxAliasCount: 100 })
  if (typeof value !== 'object' || value === null) return []
  const { kind, items } = value as { kind?: unknown; items?: unknown }
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items))
    return items.map(item => ({ value: item, text: () => printed(item) }))
  return [{ value, text: () => String(document).replace(/^---\n/, '') }]
}
