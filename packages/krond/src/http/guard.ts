import { isIP } from 'node:net'
import type { Address } from './address.ts'
import { Refusal } from './refusal.ts'
import type { Token } from './token.ts'

/** What a request says of itself, before anything is done for it. */
export interface RequestFacts {
  readonly method: string
  readonly path: string
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly authorization: string | undefined
  readonly hasBody: boolean
}

export interface GuardOptions {
  readonly address: Address
  readonly hostname: string
  readonly token: Token | undefined
}

const LONGEST_PATH = 8_192

/** Pure: undefined if the request may be answered. */
export function objection(request: RequestFacts, options: GuardOptions): Refusal | undefined {
  if (request.path.length > LONGEST_PATH)
    return new Refusal(414, 'the path is too long', `at most ${LONGEST_PATH} bytes`)
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return new Refusal(405, `${request.method} is not allowed`, 'this API reads only: use GET')
  if (request.hasBody) return new Refusal(413, 'a request may not have a body', 'use query parameters')
  const host = hostOf(request.host)
  // A foreign page can point its own name at this machine, but it cannot take our name or a bare address.
  if (host === undefined || !isOwnHost(host, options))
    return new Refusal(421, 'this host name is not served here', 'use the address krond listens on')
  if (request.origin !== undefined && request.origin.replace(/^https?:\/\//, '') !== request.host)
    return new Refusal(403, 'requests from other sites are refused')
  return undefined
}

/** Whether the token, if there is one, was brought. */
export const isAdmitted = ({ authorization }: RequestFacts, { token }: GuardOptions): boolean =>
  token === undefined || token.isIn(authorization)

function hostOf(header: string | undefined): string | undefined {
  const match = /^(?:\[([\da-fA-F:.]+)\]|([^:[\]/@\s]+))(?::\d{1,5})?$/.exec(header ?? '')
  return (match?.[1] ?? match?.[2])?.toLowerCase()
}

function isOwnHost(host: string, { address, hostname }: GuardOptions): boolean {
  if (isIP(host) !== 0 || host === 'localhost' || host === hostname.toLowerCase()) return true
  return address.kind === 'tcp' && host === address.host.toLowerCase()
}
