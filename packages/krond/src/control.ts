import { chmodSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Server } from 'node:net'
import type { Status } from './status.ts'

/** A socket in the state directory on which the daemon tells its status; the directory's mode guards it. */
export const controlPath = (stateDir: string): string => `${stateDir}/control.sock`

/** Whoever connects is told the status as JSON. The lock must be held: a socket left by a dead daemon is replaced. */
export function serveStatus(path: string, status: () => Status): Promise<Server> {
  rmSync(path, { force: true })
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.end(JSON.stringify(status()))
  })
  server.unref()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      chmodSync(path, 0o600)
      resolve(server)
    })
  })
}

/** The status of the daemon behind the socket; undefined if none answers. */
export function askStatus(path: string): Promise<Status | undefined> {
  return new Promise(resolve => {
    let text = ''
    createConnection(path)
      .on('data', chunk => {
        text += chunk
      })
      .on('end', () => resolve(JSON.parse(text) as Status))
      .on('error', () => resolve(undefined))
  })
}
