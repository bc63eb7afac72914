import { type NotifyTarget, printTarget } from '@kron/host'

/** A target as the log may name it: the path of a webhook is often its password. */
export const targetLabel = (target: NotifyTarget): string =>
  target.kind === 'webhook' ? `webhook:${new URL(target.url).host}` : printTarget(target)
