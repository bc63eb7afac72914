import { requireNative } from '../native/require-native.ts'
import type { ProcessTable } from '../process/process-table.ts'
import { launch } from './launch.ts'
import { LaunchError, type Launcher } from './launcher.ts'
import { keepExitStatuses } from './reaper.ts'
import { Refusal } from './refusal.ts'

/** Starts processes from the main thread: right for a few of them. */
export function posixLauncher(processes: Pick<ProcessTable, 'bootId'>): Launcher {
  requireNative('launch processes')
  keepExitStatuses()
  return {
    launch: async spec => {
      try {
        const { pid, startTime, created, exited } = await launch(spec)
        const age = Math.floor(performance.now() - created)
        return { process: { pid, startTime, bootId: processes.bootId() }, age, exited }
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        const { message, code, hint } = error
        throw new LaunchError(message, { code, created: 'no', hint })
      }
    },
  }
}
