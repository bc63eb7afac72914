import { closeDescriptor, native } from './native/native.ts'

const socket = native<[domain: number, type: number, protocol: number], number>(
  'int socket(int domain, int type, int protocol)',
)
const sendto = native<
  [fd: number, text: Buffer, length: number, flags: number, address: Buffer, size: number],
  number
>('long sendto(int fd, const void *text, size_t length, int flags, const void *address, unsigned int size)')

const AF_UNIX = 1
const SOCK_DGRAM_CLOEXEC = 2 | 0x80000
const MSG_NOSIGNAL_DONTWAIT = 0x4000 | 0x40
const LONGEST_PATH = 107

/** Tells systemd how the service is doing; does nothing where systemd did not ask. */
export interface Notifier {
  ready(): void
  reloading(): void
  stopping(): void
  status(text: string): void
  /** To be called at least every `watchdogInterval` milliseconds, if there is one. */
  alive(): void
  readonly watchdogInterval: number | undefined
}

/** Reads NOTIFY_SOCKET and WATCHDOG_USEC, which children must not inherit. */
export function systemdNotifier(environment: NodeJS.ProcessEnv = process.env): Notifier {
  const path = environment.NOTIFY_SOCKET
  const send = path ? (text: string) => sendDatagram(path, text) : () => {}
  return {
    ready: () => send('READY=1'),
    reloading: () => send(`RELOADING=1\nMONOTONIC_USEC=${process.hrtime.bigint() / 1000n}`),
    stopping: () => send('STOPPING=1'),
    status: text => send(`STATUS=${text.replaceAll('\n', ' ')}`),
    alive: () => send('WATCHDOG=1'),
    watchdogInterval: path ? watchdogInterval(environment) : undefined,
  }
}

function watchdogInterval(environment: NodeJS.ProcessEnv): number | undefined {
  const { WATCHDOG_USEC: microseconds = '', WATCHDOG_PID: pid } = environment
  if (!/^[1-9]\d*$/.test(microseconds)) return undefined
  return pid === undefined || pid === String(process.pid) ? Number(microseconds) / 1000 : undefined
}

/** A notification that cannot be delivered is no reason to stop working. */
function sendDatagram(path: string, text: string): void {
  const bytes = Buffer.from(path)
  if (bytes.length > LONGEST_PATH) return
  // A leading @ stands for the NUL of an abstract address, whose name ends with the structure.
  const isAbstract = path.startsWith('@')
  if (isAbstract) bytes[0] = 0
  const address = Buffer.concat([Buffer.alloc(2), bytes, Buffer.alloc(isAbstract ? 0 : 1)])
  address.writeUInt16LE(AF_UNIX)
  const message = Buffer.from(text)
  const fd = socket(AF_UNIX, SOCK_DGRAM_CLOEXEC, 0)
  if (fd < 0) return
  sendto(fd, message, message.length, MSG_NOSIGNAL_DONTWAIT, address, address.length)
  closeDescriptor(fd)
}
