import { completionScript, type Shell } from '@kron/cli'
import { KRONCTL } from './command.ts'
import type { Terminal } from './terminal.ts'

/** Completes the names of KronJobs by asking the cluster. */
const JOBS =
  'kubectl get kronjobs --all-namespaces --no-headers -o custom-columns=N:.metadata.namespace,M:.metadata.name 2>/dev/null | awk \'{print $1"/"$2}\''

export function runCompletion(_options: object, terminal: Terminal, shell: Shell): number {
  terminal.out(completionScript(shell, KRONCTL, JOBS))
  return 0
}
