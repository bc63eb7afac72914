/**
 * Frames between krond and `kron-shim serve` (packages/shim/PROTOCOL.md): a 4-byte little-endian length, then text
 * fields, each ended by a NUL byte.
 */

export const LENGTH_BYTES = 4
export const LONGEST_FRAME = 4 * 1024 * 1024

/** One frame as bytes. A field must not hold a NUL. */
export function encodeFrame(fields: readonly string[]): Buffer {
  const text = `${fields.join('\0')}\0`
  const length = Buffer.byteLength(text)
  if (length > LONGEST_FRAME) throw new RangeError(`a frame of ${length} bytes is over ${LONGEST_FRAME}`)
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + length)
  frame.writeUInt32LE(length)
  frame.write(text, LENGTH_BYTES)
  return frame
}

/** The fields of a frame's payload; with `most`, the last field is the rest of the payload, NUL bytes included. */
export function fieldsOf(payload: Buffer, most = Number.POSITIVE_INFINITY): string[] {
  // Decoded once and then split: a NUL byte is never a part of another character.
  const fields = payload.toString('utf8').split('\0')
  if (fields.length > most) return [...fields.slice(0, most - 1), fields.slice(most - 1).join('\0')]
  if (fields.at(-1) === '') fields.pop()
  return fields
}

/** Joins the chunks of a stream and returns whole payloads. */
export class FrameReader {
  #pending: Buffer = Buffer.alloc(0)
  readonly #onFrame: (payload: Buffer) => void

  constructor(onFrame: (payload: Buffer) => void) {
    this.#onFrame = onFrame
  }

  /** Throws a RangeError if the stream breaks the protocol. */
  push(chunk: Buffer): void {
    let bytes = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk])
    while (bytes.length >= LENGTH_BYTES) {
      const length = bytes.readUInt32LE()
      if (length === 0 || length > LONGEST_FRAME) throw new RangeError(`a frame of ${length} bytes`)
      const end = LENGTH_BYTES + length
      if (bytes.length < end) break
      this.#onFrame(bytes.subarray(LENGTH_BYTES, end))
      bytes = bytes.subarray(end)
    }
    this.#pending = bytes
  }
}
