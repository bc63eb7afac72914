/** Reports the state of the daemon to the service manager. */
export type Notifier = ReturnType<typeof systemdNotifier>

/** Messages of sd_notify(3), sent by `send`. */
export function systemdNotifier(send: (text: string) => void, environment: NodeJS.ProcessEnv = process.env) {
  return {
    ready: () => send('READY=1'),
    reloading: () => send(`RELOADING=1\nMONOTONIC_USEC=${process.hrtime.bigint() / 1000n}`),
    stopping: () => send('STOPPING=1'),
    status: (text: string) => send(`STATUS=${text.replaceAll('\n', ' ')}`),
    /** Must be called at least every `watchdogIntervalMs`, if that is set. */
    alive: () => send('WATCHDOG=1'),
    watchdogIntervalMs: environment['NOTIFY_SOCKET'] ? watchdogInterval(environment) : undefined,
  }
}

function watchdogInterval(environment: NodeJS.ProcessEnv): number | undefined {
  const { WATCHDOG_USEC: microseconds = '', WATCHDOG_PID: pid } = environment
  if (!/^[1-9]\d*$/.test(microseconds)) return undefined
  return pid === undefined || pid === String(process.pid) ? Number(microseconds) / 1000 : undefined
}
