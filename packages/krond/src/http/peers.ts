import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'

/** The least time between two lookups: the kernel needs some milliseconds to list all connections. */
const LOOKUP_INTERVAL_MS = 100
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6']
const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/

/** Identifies the other end of connections: a user of this machine, or the address of another machine. */
export class Peers {
  readonly #read: () => Promise<string>
  #last: Promise<unknown> = Promise.resolve()
  #next: Promise<ReadonlyMap<string, string>> | undefined

  constructor(read: () => Promise<string> = readTables) {
    this.#read = read
  }

  /** `user 1000` or an address. */
  async of({ remoteAddress = '', remotePort = 0, localPort = 0 }: Socket): Promise<string> {
    if (!LOOPBACK.test(remoteAddress)) return remoteAddress
    const ports = `${remotePort}-${localPort}`
    // The kernel may skip a connection while others come and go, so a second lookup is worth it.
    const uid = (await this.#owners()).get(ports) ?? (await this.#owners()).get(ports)
    return uid === undefined ? 'nobody known' : `user ${uid}`
  }

  /** Owners by the ports of both ends, from a table that is read after this call. */
  #owners(): Promise<ReadonlyMap<string, string>> {
    this.#next ??= this.#last.then(() => {
      this.#next = undefined
      const owners = this.#read().then(ownersIn)
      this.#last = owners.then(() => new Promise(resolve => setTimeout(resolve, LOOKUP_INTERVAL_MS).unref()))
      return owners
    })
    return this.#next
  }
}

/** The owners of the connections in a text such as /proc/net/tcp. */
export function ownersIn(table: string): ReadonlyMap<string, string> {
  const owners = new Map<string, string>()
  for (const line of table.split('\n')) {
    const [, own, other, , , , , uid] = line.trim().split(/\s+/)
    if (own === undefined || other === undefined || uid === undefined) continue
    owners.set(`${portIn(own)}-${portIn(other)}`, uid)
  }
  return owners
}

const portIn = (address: string): number => Number.parseInt(address.slice(address.indexOf(':') + 1), 16)

async function readTables(): Promise<string> {
  const texts = await Promise.all(TABLES.map(path => readFile(path, 'latin1').catch(() => '')))
  return texts.join('\n')
}
