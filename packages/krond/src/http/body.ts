import type { IncomingMessage } from 'node:http'
import { Refusal } from './refusal.ts'

const LARGEST_BYTES = 16_384

/** The JSON object of a request; an absent body is an empty object. */
export async function readBody(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > LARGEST_BYTES) throw new Refusal(413, `the body is larger than ${LARGEST_BYTES} bytes`)
    chunks.push(chunk)
  }
  return parseBody(Buffer.concat(chunks).toString())
}

function parseBody(text: string): Readonly<Record<string, unknown>> {
  if (text === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Refusal(400, 'the body is not JSON')
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>
  throw new Refusal(400, 'the body is not a JSON object', 'send for example {}')
}

/** Reads the fields of a body, all optional texts; any other key or type is refused. */
export function textFields<Key extends string>(
  body: unknown,
  keys: readonly Key[],
): Partial<Record<Key, string>> {
  const given = Object.entries((body ?? {}) as Record<string, unknown>)
  for (const [key, value] of given) {
    if (!(keys as readonly string[]).includes(key))
      throw new Refusal(
        400,
        `unknown field ${JSON.stringify(key)}`,
        keys.length === 0 ? 'the body has no fields' : `fields are ${keys.join(', ')}`,
      )
    if (typeof value !== 'string') throw new Refusal(400, `${key} must be a text`)
  }
  return Object.fromEntries(given) as Partial<Record<Key, string>>
}
