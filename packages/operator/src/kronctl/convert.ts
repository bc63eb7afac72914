import { comparisonText, type Given, plural, remarkText } from '@kron/cli'
import { convertCronJobs } from '../convert/convert.ts'
import type { CONVERT_OPTIONS } from './command.ts'
import { filesOf } from './files.ts'
import { Complaint, type Terminal } from './terminal.ts'

/**
 * Converts CronJobs to KronJobs that start at the same minutes. Other objects stay unchanged, as does a CronJob that
 * cannot be converted. Losses, changes and differing starts are reported on standard error.
 */
export function runConvert({ filename }: Given<typeof CONVERT_OPTIONS>, terminal: Terminal): number {
  if (filename.length === 0) throw new Complaint('give a CronJob manifest with -f, or - for standard input')
  const converted = filesOf(filename, terminal).map(file => ({
    file,
    ...convertCronJobs(file === '-' ? 'standard input' : file, terminal.read(file), terminal.now),
  }))
  const manifests = converted.flatMap(each => each.manifests)
  const remarks = converted.flatMap(each => each.remarks)
  if (manifests.length + remarks.length === 0) throw new Complaint('there is no CronJob in it')
  const lost = remarks.filter(({ kind }) => kind === 'lost').length
  const report = [
    ...remarks.map(remarkText),
    `converted ${plural(manifests.length, 'CronJob')}; ${lost === 0 ? 'nothing is lost' : `${plural(lost, 'thing')} could not be carried over`}`,
    ...comparisonText(
      manifests.map(({ manifest, equivalence }) => ({
        name: manifest.metadata.name,
        who: 'the CronJob',
        equivalence,
      })),
    ),
  ]
  terminal.data(converted.map(({ text }) => text).join('---\n'))
  terminal.error(report.map(line => `${line}\n`).join(''))
  return lost === 0 ? 0 : 1
}
