import { isIP } from 'node:net'

/** The address at which the daemon listens. */
export type Address =
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | { readonly kind: 'unix'; readonly path: string }

/** `9723`, `127.0.0.1:9723`, `[::1]:9723`, `localhost:9723` or the path of a Unix socket. */
export function parseAddress(text: string): Address | undefined {
  if (text.includes('/')) return { kind: 'unix', path: text }
  const match = /^(?:(?:\[([^\]]+)\]|([^:[\]]+)):)?(\d{1,5})$/.exec(text)
  if (match === null || Number(match[3]) > 65_535) return undefined
  const [, bracketed, plain, port] = match
  if (bracketed !== undefined && isIP(bracketed) !== 6) return undefined
  return { kind: 'tcp', host: bracketed ?? plain ?? '127.0.0.1', port: Number(port) }
}

/** Whether only this machine can reach the address. */
export const isLocal = (address: Address): boolean => address.kind === 'unix' || isLoopback(address.host)

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** The address as a person types it into a browser or curl. */
export const printAddress = (address: Address, scheme = 'http'): string =>
  address.kind === 'unix' ? address.path : `${scheme}://${hostText(address.host)}:${address.port}/`

const hostText = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host)
