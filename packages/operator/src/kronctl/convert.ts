import { comparisonText, type Given, plural, remarkText } from '@kron/cli'
import { convertCronJobs } from '../convert/convert.ts'
import { checkManifest } from '../manifest/check.ts'
import type { CONVERT_OPTIONS } from './command.ts'
import { Complaint, type Terminal } from './terminal.ts'

/** CronJobs as KronJobs that start at the same minutes; losses, changes and differing starts go to standard error. */
export function runConvert({ filename }: Given<typeof CONVERT_OPTIONS>, terminal: Terminal): number {
  if (filename.length === 0) throw new Complaint('give a CronJob manifest with -f')
  const converted = filename.map(file => ({
    file,
    ...convertCronJobs(file, terminal.read(file), terminal.now),
  }))
  const manifests = converted.flatMap(each => each.manifests)
  const remarks = converted.flatMap(each => each.remarks)
  if (manifests.length + remarks.length === 0) throw new Complaint('there is no CronJob in it')
  const faults = converted.flatMap(({ file, manifests }) =>
    manifests.flatMap(({ manifest }) =>
      checkManifest(manifest, 'default')
        // A remark speaks of the name already.
        .faults.filter(({ path }) => path !== 'metadata.name')
        .map(({ path, message }) => `${file}: ${manifest.metadata.name}: ${path}: ${message}`),
    ),
  )
  const lost = remarks.filter(({ kind }) => kind === 'lost').length
  const report = [
    ...remarks.map(remarkText),
    ...faults,
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
  return lost + faults.length === 0 ? 0 : 1
}
