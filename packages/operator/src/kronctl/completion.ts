import { type Command, completionScript, type Shell } from '@kron/cli'
import type { Terminal } from './terminal.ts'

/** Completes the names of KronJobs by asking the cluster. */
const JOBS =
  'kubectl get kronjobs --all-namespaces --no-headers -o custom-columns=N:.metadata.namespace,M:.metadata.name 2>/dev/null | awk \'{print $1"/"$2}\''

export function runCompletion(shell: string, command: Command, terminal: Terminal): number {
  terminal.out(completionScript(shell as Shell, command, { job: JOBS }))
  return 0
}
