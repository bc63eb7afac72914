import { LATEST } from '@kron/core'
import { convertCronJobs } from '../../../packages/operator/src/convert/convert.ts'
import { seedFiles } from '../seed-files.ts'
import { must, type Target } from '../target.ts'

const SMALL = `kind: CronJob
metadata: {name: a}
spec: {schedule: "0 2 * * *", timeZone: Etc/UTC, jobTemplate: {}}
`

/** Comparing the starts of thirty years would take most of the time. */
const SOON_OVER = LATEST - 120

const SHORT = seedFiles('packages/operator/corpus/cronjob/*.yaml').filter(text => text.length < 400)

export const target: Target = {
  seeds: [SMALL, ...SHORT],
  tokens:
    'kind:\u0020 CronJob List items: metadata: name: spec: schedule:\u0020 timeZone: concurrencyPolicy: Allow Forbid Replace startingDeadlineSeconds: suspend: jobTemplate: {} [] {a:\u0020b} - --- ... &a *a << : , " \' | > \n \n\u0020\u0020 !!str # TZ=Europe/Paris\u0020 @every\u00201h ? 0/15 null true 1e9 -1 .nan'.split(
      / /,
    ),
  longest: 200,
  run(text) {
    const { remarks, manifests } = convertCronJobs('x.yaml', text, SOON_OVER)
    must(
      remarks.every(({ line }) => line >= 0),
      'a remark has a line',
    )
    must(
      manifests.every(({ manifest }) => manifest.metadata.name !== ''),
      'a manifest has a name',
    )
  },
}
