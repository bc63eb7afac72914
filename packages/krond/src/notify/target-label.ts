import { type NotifyTarget, printTarget } from '@kron/host'

/**
 * The name of a target for the log, without the path of a webhook, which is often its password. Each kind has a case, and
 * there is no default: the compiler asks what may be logged of a new kind.
 */
export function targetLabel(target: NotifyTarget): string {
  switch (target.kind) {
    case 'webhook':
      return `webhook:${new URL(target.url).host}`
    case 'mail':
    case 'command':
      return printTarget(target)
  }
}
