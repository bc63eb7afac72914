import { isIP } from 'node:net'
import type { TokenRecord } from '@kron/host/api'
import type { Viewer } from '../api/viewer.ts'
import type { Address } from './address.ts'
import { Refusal } from './refusal.ts'
import { INTENT_HEADER, type RequestFacts } from './request-facts.ts'
import { bearerOf, type Token } from './token.ts'

export interface GuardOptions {
  readonly address: Address
  readonly hostname: string
}

const LONGEST_PATH = 8_192
const METHODS = ['GET', 'HEAD', 'POST']

/** Pure: undefined if the request may be answered. */
export function objection(request: RequestFacts, options: GuardOptions): Refusal | undefined {
  if (request.path.length > LONGEST_PATH)
    return new Refusal(414, 'the path is too long', `at most ${LONGEST_PATH} bytes`)
  if (!METHODS.includes(request.method))
    return new Refusal(405, `${request.method} is not allowed`, `use ${METHODS.join(', ')}`)
  if (request.hasBody && request.method !== 'POST')
    return new Refusal(413, 'a request may not have a body', 'use query parameters')
  const host = hostOf(request.host)
  // A foreign page can point its own name at this machine, but it cannot use our name or a bare address.
  if (host === undefined || !isOwnHost(host, options))
    return new Refusal(421, 'this host name is not served here', 'use the address krond listens on')
  if (request.origin !== undefined && request.origin.replace(/^https?:\/\//, '') !== request.host)
    return new Refusal(403, 'requests from other sites are refused')
  return request.method === 'POST' ? writeObjection(request) : undefined
}

/** A form of another site can send a POST, but neither this header nor JSON. */
function writeObjection({ intent, contentType, hasBody }: RequestFacts): Refusal | undefined {
  if (intent !== '1')
    return new Refusal(403, `a write needs the header ${INTENT_HEADER}`, `send ${INTENT_HEADER}: 1`)
  if (hasBody && !/^application\/json(;|$)/i.test(contentType ?? ''))
    return new Refusal(415, 'the body must be JSON', 'send content-type: application/json')
  return undefined
}

export interface Admission {
  readonly address: Address
  readonly token: Token | undefined
  /** The tokens beside it. */
  readonly furtherTokens: { readonly find: (secret: string) => TokenRecord | undefined } | undefined
  /** Whether a request without a token is refused. */
  readonly isTokenRequired: boolean
}

/** The viewer of a request; undefined if the request lacks a required token. A wrong token never counts as no token. */
export function viewerOf(
  { authorization, peer }: Pick<RequestFacts, 'authorization' | 'peer'>,
  { address, token, furtherTokens, isTokenRequired }: Admission,
): Viewer | undefined {
  // Only the daemon's user and root can open its socket.
  if (address.kind === 'unix' && !isTokenRequired)
    return { kind: 'operator', name: 'socket', uid: null, from: address.path }
  if (authorization === undefined) return isTokenRequired ? undefined : { kind: 'anybody', from: peer }
  const secret = bearerOf(authorization)
  if (secret === undefined) return undefined
  if (token?.is(secret) === true) return { kind: 'operator', name: 'token', uid: null, from: peer }
  const further = furtherTokens?.find(secret)
  if (further === undefined) return undefined
  return { kind: 'token', scope: further.scope, name: `token ${further.name}`, uid: null, from: peer }
}

function hostOf(header: string | undefined): string | undefined {
  const match = /^(?:\[([\da-fA-F:.]+)\]|([^:[\]/@\s]+))(?::\d{1,5})?$/.exec(header ?? '')
  return (match?.[1] ?? match?.[2])?.toLowerCase()
}

function isOwnHost(host: string, { address, hostname }: GuardOptions): boolean {
  if (isIP(host) !== 0 || host === 'localhost' || host === hostname.toLowerCase()) return true
  return address.kind === 'tcp' && host === address.host.toLowerCase()
}
