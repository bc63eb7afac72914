import type { Given } from '@kron/cli'
import { checkManifest } from '../manifest/check.ts'
import { readManifests } from '../manifest/document.ts'
import type { KronJob } from '../manifest/kronjob.ts'
import type { VALIDATE_OPTIONS } from './command.ts'
import { filesOf } from './files.ts'
import { faultLine } from './subject.ts'
import { Complaint, type Terminal } from './terminal.ts'

/** Checks every KronJob in the files. Objects of other kinds are ignored. */
export function runValidate(
  { filename, namespace }: Given<typeof VALIDATE_OPTIONS>,
  terminal: Terminal,
): number {
  if (filename.length === 0) throw new Complaint('give a manifest with -f')
  let bad = 0
  let good = 0
  for (const file of filesOf(filename, terminal)) {
    const { documents, errors } = readManifests(file, terminal.read(file))
    for (const error of errors) terminal.error(`${error}\n`)
    bad += errors.length
    for (const document of documents) {
      if ((document.value as KronJob).kind !== 'KronJob') continue
      const { faults } = checkManifest(document.value, namespace ?? 'default')
      for (const fault of faults) terminal.error(`${faultLine(document, fault)}\n`)
      bad += faults.length
      if (faults.length === 0) good++
    }
  }
  if (bad === 0) terminal.out(`${good} KronJob${good === 1 ? ' is' : 's are'} valid\n`)
  return bad === 0 ? 0 : 1
}
