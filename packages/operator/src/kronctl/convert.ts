import { type CronJob, kronJobOf } from '@kron/core'
import type { Given } from '@kron/runtime/cli'
import { stringify } from 'yaml'
import { checkManifest } from '../manifest/check.ts'
import { readManifests } from '../manifest/document.ts'
import type { JobTemplate } from '../manifest/kronjob.ts'
import type { CONVERT_OPTIONS } from './command.ts'
import { Complaint, type Terminal } from './terminal.ts'

/** CronJobs as KronJobs that start at the same minutes; what changes is said on standard error. */
export function runConvert({ filename }: Given<typeof CONVERT_OPTIONS>, terminal: Terminal): number {
  if (filename.length === 0) throw new Complaint('give a CronJob manifest with -f')
  const texts: string[] = []
  let bad = 0
  for (const file of filename) {
    const { documents, errors } = readManifests(file, terminal.read(file))
    if (errors.length > 0) throw new Complaint(errors.join('\n'))
    for (const { value } of documents) {
      if ((value as { kind?: unknown }).kind !== 'CronJob') continue
      const { manifest, remarks } = kronJobOf(value as CronJob<JobTemplate>)
      const { faults } = checkManifest(manifest, 'default')
      for (const remark of remarks) terminal.error(`${file}: ${manifest.metadata.name}: ${remark}\n`)
      for (const { path, message } of faults)
        terminal.error(`${file}: ${manifest.metadata.name}: ${path}: ${message}\n`)
      bad += faults.length
      texts.push(stringify(manifest, { aliasDuplicateObjects: false }))
    }
  }
  if (texts.length === 0) throw new Complaint('there is no CronJob in it')
  terminal.data(texts.join('---\n'))
  return bad === 0 ? 0 : 1
}
