import koffi from 'koffi'

const libc = koffi.load(null)
const socket = libc.func('int socket(int domain, int type, int protocol)')
const bind = libc.func('int bind(int fd, const void *address, unsigned int size)')
const recv = libc.func('long recv(int fd, void *into, size_t size, int flags)')
const closeDescriptor = libc.func('int close(int fd)')

const UNIX = 1
const DATAGRAM = 2
const NOT_WAITING = 0x40

/** The end of NOTIFY_SOCKET that systemd has: Node knows no datagram sockets of this kind. */
export function serviceManager(path: string) {
  const fd = socket(UNIX, DATAGRAM, 0)
  const address = Buffer.from(`\u0001\0${path}\0`)
  if (bind(fd, address, address.length) !== 0) throw new Error(`cannot listen at ${path}`)
  const into = Buffer.alloc(4_096)
  let heard = ''
  return {
    /** All that has been said so far. */
    heard(): string {
      for (let length = 0; length >= 0; ) {
        length = recv(fd, into, into.length, NOT_WAITING)
        if (length >= 0) heard += `${into.toString('utf8', 0, length)}\n`
      }
      return heard
    },
    close: () => closeDescriptor(fd),
  }
}
