import { type NotifyTarget, printTarget } from '@kron/host'

/** The name of a target for the log, without the path of a webhook, which is often its password. */
export const targetLabel = (target: NotifyTarget): string =>
  target.kind === 'webhook' ? `webhook:${new URL(target.url).host}` : printTarget(target)
