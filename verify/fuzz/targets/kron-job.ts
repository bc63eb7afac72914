import { printSchedule } from '@kron/core'
import { checkManifest } from '../../../packages/operator/src/manifest/check.ts'
import { readManifests } from '../../../packages/operator/src/manifest/document.ts'
import { seedFiles } from '../seed-files.ts'
import { must, type Target } from '../target.ts'

const SMALL = `apiVersion: kron.io/v1alpha1
kind: KronJob
metadata: {name: a}
spec: {schedule: "0 2 * * *", jobTemplate: {spec: {}}}
`

const WINDOWED = `apiVersion: kron.io/v1alpha1
kind: KronJob
metadata: {name: b}
spec:
  {schedule: "@daily", window: {mode: around, duration: 1h}, seed: {salt: x}, jobTemplate: {spec: {}},
   constraints: {only: [{dow: MON}]}, policy: {deadline: 5m}, distribution: {name: normal, params: {sigma: 1m}}}
`

export const target: Target = {
  seeds: [SMALL, WINDOWED, ...seedFiles('examples/kubernetes/*.yaml')],
  tokens:
    'apiVersion:\u0020kron.io/v1alpha1 kind:\u0020 KronJob List items: metadata: name: namespace: spec: schedule:\u0020 timezone: window: mode: after around duration: distribution: params: sigma: seed: strategy: salt: constraints: only: avoid: dow: hours: policy: concurrency: deadline: suspend: history: successful: failed: jobTemplate: {} [] {a:\u0020b} - --- &a *a << : , " \' | > \n \n\u0020\u0020 !!str # null true 1e9 -1 .nan __proto__:'.split(
      / /,
    ),
  longest: 200,
  run(text) {
    const { documents, errors } = readManifests('x.yaml', text)
    must(
      errors.every(error => /^x\.yaml:\d+:\d+: /.test(error)),
      'an error has a place',
    )
    for (const { value, placeOf } of documents) {
      const { faults, schedule } = checkManifest(value, 'default')
      for (const { path } of faults) {
        const { line, column } = placeOf(path)
        must(line >= 1 && column >= 1, 'a fault has a place')
      }
      if (schedule !== undefined) must(printSchedule(schedule) !== '', 'a schedule can be printed')
      else must(faults.length > 0, 'a refusal has a reason')
    }
  },
}
