import { createServer } from 'node:net'

/** How many ports are tried before the first one is returned all the same. */
const TRIES = 20

/** The first port from `first` upwards on which nobody listens at 127.0.0.1. */
export async function freePort(first: number): Promise<number> {
  for (let port = first; port < first + TRIES; port++) if (await isFree(port)) return port
  return first
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
