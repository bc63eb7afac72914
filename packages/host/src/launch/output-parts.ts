import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import type { OutputPart } from '../api/output.ts'
import { type KeptOutput, type OutputPiece, parseKeptOutput } from './kept-output.ts'

/** The number of tries to read a file whose header is being written. */
const TRIES = 20

/** The kept output of a run, or undefined if it printed nothing, or nothing is kept. */
export function readKeptOutput(path: string): KeptOutput | undefined {
  for (let tries = 0; tries < TRIES; tries++) {
    let before: Buffer
    try {
      before = readFileSync(path)
    } catch {
      return undefined
    }
    // The bytes belong together only if the header did not change while they were read.
    if (sequenceOf(before) !== sequenceIn(path)) continue
    const kept = parseKeptOutput(before)
    if (kept !== undefined) return kept
  }
  return undefined
}

const SEQUENCE_AT = 56

const sequenceOf = (bytes: Buffer): number => (bytes.length < 64 ? -1 : bytes.readUInt32LE(SEQUENCE_AT))

function sequenceIn(path: string): number {
  const header = Buffer.alloc(64)
  try {
    const file = openSync(path, 'r')
    try {
      return readSync(file, header, 0, header.length, 0) < header.length ? -1 : sequenceOf(header)
    } finally {
      closeSync(file)
    }
  } catch {
    return -1
  }
}

/** Bytes of both streams together, counted from the first byte that was printed. */
interface Placed {
  readonly piece: OutputPiece & { readonly kind: 'out' | 'err' }
  readonly at: number
}

/** A part of an output. `end` is the position of its last byte, from which a reader continues. */
export interface OutputSection {
  readonly pieces: readonly OutputPiece[]
  readonly end: number
}

/** The kept parts that were printed after the first `seenBytes`, in order; a gap stands for bytes that are not kept. */
export function outputPieces(
  { pieces, totalBytes }: KeptOutput,
  seenBytes = 0,
  mostBytes = Number.POSITIVE_INFINITY,
): OutputSection {
  const fresh: OutputPiece[] = []
  let end = seenBytes
  let bytes = 0
  for (const { piece, at } of placed(pieces)) {
    if (at + piece.data.length <= end) continue
    if (at > end) fresh.push({ kind: 'gap', bytes: at - end })
    fresh.push({ kind: piece.kind, data: piece.data.subarray(Math.max(0, end - at)) })
    end = at + piece.data.length
    bytes += piece.data.length
    if (bytes >= mostBytes) return { pieces: fresh, end }
  }
  if (totalBytes > end) fresh.push({ kind: 'gap', bytes: totalBytes - end })
  return { pieces: fresh, end: Math.max(end, totalBytes) }
}

function* placed(pieces: readonly OutputPiece[]): Generator<Placed> {
  let at = 0
  for (const piece of pieces) {
    if (piece.kind !== 'gap') yield { piece, at }
    at += piece.kind === 'gap' ? piece.bytes : piece.data.length
  }
}

/** Turns pieces into text; a character that is split between two pieces of a stream comes out whole. */
export class OutputText {
  readonly #decoders = { out: new TextDecoder(), err: new TextDecoder() }

  parts(pieces: readonly OutputPiece[]): OutputPart[] {
    const parts: OutputPart[] = []
    for (const piece of pieces) {
      if (piece.kind === 'gap') {
        parts.push({ stream: 'gap', bytes: piece.bytes })
        continue
      }
      const text = this.#decoders[piece.kind].decode(piece.data, { stream: true })
      const last = parts.at(-1)
      if (last !== undefined && last.stream === piece.kind)
        parts[parts.length - 1] = { stream: piece.kind, text: last.text + text }
      else if (text !== '') parts.push({ stream: piece.kind, text })
    }
    return parts
  }
}
