import type { IncomingMessage } from 'node:http'
import { Refusal } from './refusal.ts'

/** Every write needs this header, with the value 1. */
export const INTENT_HEADER = 'x-kron-request'

/** The facts about a request that are known before it is handled. */
export interface RequestFacts {
  readonly method: string
  readonly path: string
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly authorization: string | undefined
  /** A header that no form and no foreign page can send. */
  readonly intent: string | undefined
  readonly contentType: string | undefined
  readonly hasBody: boolean
  /** The address of the client. */
  readonly peer: string
}

export function factsOf(request: IncomingMessage): RequestFacts {
  const { method = '', url = '' } = request
  return {
    method,
    path: url,
    host: header(request, 'host'),
    origin: header(request, 'origin'),
    authorization: header(request, 'authorization'),
    intent: header(request, INTENT_HEADER),
    contentType: header(request, 'content-type'),
    peer: request.socket.remoteAddress ?? 'socket',
    hasBody:
      request.headers['transfer-encoding'] !== undefined ||
      Number(header(request, 'content-length') ?? 0) > 0,
  }
}

export const header = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

export function urlOf({ url = '' }: IncomingMessage): URL {
  if (!url.startsWith('/') || url.startsWith('//'))
    throw new Refusal(400, 'the path must start with one slash')
  // Not resolved against a base: `/\\[` would be parsed as another host, and an invalid one.
  return new URL(`http://krond${url}`)
}
