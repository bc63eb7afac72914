import { GROUP, VERSION } from './kronjob.ts'
import { KRON_JOB_SCHEMA } from './schema.ts'

const column = (name: string, jsonPath: string, description: string, rest: object = {}) => ({
  name,
  type: 'string',
  jsonPath,
  description,
  ...rest,
})

export const CUSTOM_RESOURCE_DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `kronjobs.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: {
      kind: 'KronJob',
      listKind: 'KronJobList',
      plural: 'kronjobs',
      singular: 'kronjob',
      shortNames: ['kj'],
      categories: ['all'],
    },
    versions: [
      {
        name: VERSION,
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: KRON_JOB_SCHEMA },
        additionalPrinterColumns: [
          column('Ready', `.status.conditions[?(@.type=="Ready")].status`, 'Whether its periods are started'),
          column('Schedule', '.spec.schedule', 'Cron expression'),
          column('Zone', '.spec.timezone', 'Time zone'),
          column('Window', '.status.window', 'Window'),
          // A column of type date would show a future time as invalid.
          column('Next', '.status.nextChosenTime', 'When it starts next'),
          column('Last', '.status.lastChosenTime', 'When it started last'),
          column('Outcome', '.status.lastOutcome', 'How the last period ended'),
          column('Active', '.status.activeCount', 'Jobs that have not finished', { type: 'integer' }),
          column('Suspended', '.spec.policy.suspend', 'Whether it is suspended', { type: 'boolean' }),
          column('Reason', `.status.conditions[?(@.type=="Ready")].reason`, 'Why it is ready or not', {
            priority: 1,
          }),
          column('Last Success', '.status.lastSuccessfulTime', 'When a Job last succeeded', { priority: 1 }),
          column('Failures', '.status.consecutiveFailures', 'Jobs that failed since then', {
            type: 'integer',
            priority: 1,
          }),
          column('Age', '.metadata.creationTimestamp', 'When it was created', { type: 'date' }),
        ],
      },
    ],
  },
}
