import { rmSync, statSync } from 'node:fs'
import { type AddressInfo, createConnection, type Server } from 'node:net'
import { ConfigurationError } from '@kron/core'
import { type Address, printAddress } from './address.ts'

/** Binds the server; resolves with the actual address. */
export async function listen(server: Server, address: Address): Promise<Address> {
  if (address.kind === 'unix') await removeDeadSocket(address.path)
  // Access to the socket is access to the daemon, so the umask keeps other users out from the moment it exists.
  const umask = address.kind === 'unix' ? process.umask(0o177) : undefined
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      if (address.kind === 'unix') server.listen(address.path, resolve)
      else server.listen(address.port, address.host, 511, resolve)
      if (umask !== undefined) process.umask(umask)
    })
  } catch (cause) {
    const message = `cannot listen on ${printAddress(address)}: ${(cause as Error).message}`
    const hint = 'choose another address with --listen'
    throw new ConfigurationError(message, { component: 'configuration', operation: 'listen', hint, cause })
  }
  if (address.kind === 'unix') return address
  return { ...address, port: (server.address() as AddressInfo).port }
}

/** A socket that nothing listens on was left by a daemon that died. */
async function removeDeadSocket(path: string): Promise<void> {
  if (statSync(path, { throwIfNoEntry: false })?.isSocket() !== true) return
  const alive = await new Promise<boolean>(resolve => {
    const socket = createConnection(path)
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.unref()
  })
  if (!alive) rmSync(path, { force: true })
}
