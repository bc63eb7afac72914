import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Refusal } from './refusal.ts'

const SECURITY: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** The headers of an answer that is a stream of server-sent events. */
export const EVENT_STREAM = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const

/** Sets the security headers of every response, before anything else is known about it. */
export function secure(response: ServerResponse): void {
  for (const [name, value] of Object.entries(SECURITY)) response.setHeader(name, value)
}

export interface Body {
  readonly type: string
  readonly content: string | Buffer
  readonly etag?: string
  readonly cache?: string
}

export function send(request: IncomingMessage, response: ServerResponse, body: Body): void {
  if (response.destroyed || response.headersSent) return
  response.setHeader('cache-control', body.cache ?? 'no-cache')
  if (body.etag !== undefined) {
    response.setHeader('etag', body.etag)
    if (isKnown(request, body.etag)) return void response.writeHead(304).end()
  }
  const bytes = typeof body.content === 'string' ? Buffer.from(body.content) : body.content
  response.writeHead(200, { 'content-type': body.type, 'content-length': bytes.length })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

export const isKnown = ({ headers }: IncomingMessage, etag: string): boolean =>
  (headers['if-none-match'] ?? '').split(/\s*,\s*/).includes(etag)

export function refuse(response: ServerResponse, { status, message, hint, allow }: Refusal): void {
  if (response.destroyed || response.headersSent) return void response.destroy()
  const body = JSON.stringify({ error: message, ...(hint === undefined ? {} : { hint }) })
  if (status === 405) response.setHeader('allow', allow ?? 'GET, HEAD')
  if (status === 401) response.setHeader('www-authenticate', 'Bearer realm="krond"')
  if (status === 503) response.setHeader('retry-after', '1')
  // The rest of the request is not read.
  if (status === 413 || status === 405) response.setHeader('connection', 'close')
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}
