import type { KronJob } from '../manifest/kronjob.ts'
import { MANUAL_ANNOTATION, MANUAL_LABEL } from './names.ts'

/**
 * A manually requested Job from the template. It has no period label and no controller, so the operator neither counts
 * it as active nor removes it. It is deleted with its KronJob.
 */
export function manualJob(
  { apiVersion, kind, metadata, spec }: KronJob,
  name: string | undefined,
  now: number,
) {
  const { labels, annotations } = spec.jobTemplate.metadata ?? {}
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: name ?? `${metadata.name}-manual-${now.toString(36)}`.slice(0, 63),
      namespace: metadata.namespace,
      labels: { ...labels, [MANUAL_LABEL]: metadata.name },
      // The annotation that `kubectl create job --from=cronjob/...` sets.
      annotations: { ...annotations, [MANUAL_ANNOTATION]: 'manual' },
      ownerReferences: [{ apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: false }],
    },
    spec: spec.jobTemplate.spec,
  }
}
