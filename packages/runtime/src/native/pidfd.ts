import { closeDescriptor, koffi, native } from './native.ts'

const syscall = native<[number: number, pid: number, flags: number], number>(
  'long syscall(long number, long pid, long flags)',
)

// The same number on every architecture.
const SYS_pidfd_open = 434

/**
 * Calls `onExit` on the event loop when the process, child or not, has ended.
 * Undefined if there is no such process, no kernel support or no descriptor to spare.
 */
export function watchPid(pid: number, onExit: () => void): { stop(): void } | undefined {
  const fd = syscall(SYS_pidfd_open, pid, 0)
  if (fd < 0) return undefined
  const handle = koffi().node.poll(fd, { readable: true }, () => {
    stop()
    // koffi calls this outside of Node's callback scope, where promises would not be continued.
    setImmediate(onExit)
  })
  let watching = true
  const stop = () => {
    if (!watching) return
    watching = false
    handle.close()
    closeDescriptor(fd)
  }
  return { stop }
}
