import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import type { KeptOutput, OutputPiece } from './kept-output.ts'
import { OutputText, outputPieces, readKeptOutput } from './output-parts.ts'

const out = (text: string): OutputPiece => ({ kind: 'out', data: Buffer.from(text) })
const err = (text: string): OutputPiece => ({ kind: 'err', data: Buffer.from(text) })
const gap = (bytes: number): OutputPiece => ({ kind: 'gap', bytes })
const sizeOf = (piece: OutputPiece): number => (piece.kind === 'gap' ? piece.bytes : piece.data.length)
const kept = (...pieces: OutputPiece[]): KeptOutput => ({
  pieces,
  totalBytes: pieces.reduce((sum, piece) => sum + sizeOf(piece), 0),
})
const sectionOf = (...given: Parameters<typeof outputPieces>) => outputPieces(...given).pieces
const shown = (pieces: readonly OutputPiece[]): string[] =>
  pieces.map(piece => (piece.kind === 'gap' ? `gap ${piece.bytes}` : `${piece.kind} ${piece.data}`))

test('a reader that has seen some bytes gets the rest', () => {
  const output = kept(out('one\n'), err('two\n'), out('three\n'))
  assert.deepEqual(shown(sectionOf(output)), ['out one\n', 'err two\n', 'out three\n'])
  assert.deepEqual(shown(sectionOf(output, 4)), ['err two\n', 'out three\n'])
  assert.deepEqual(shown(sectionOf(output, 6)), ['err o\n', 'out three\n'])
  assert.deepEqual(shown(sectionOf(output, 14)), [])
})

test('bytes that were not kept are a gap, as large as the reader missed', () => {
  const output = kept(out('head'), gap(10), out('tail'))
  assert.deepEqual(shown(sectionOf(output)), ['out head', 'gap 10', 'out tail'])
  assert.deepEqual(shown(sectionOf(output, 4)), ['gap 10', 'out tail'])
  assert.deepEqual(shown(sectionOf(output, 9)), ['gap 5', 'out tail'])
  assert.deepEqual(shown(sectionOf(kept(out('head'), gap(10)), 4)), ['gap 10'])
})

test('a long output is read in sections', () => {
  const output = kept(out('one\n'), err('two\n'), gap(5), out('three\n'))
  const first = outputPieces(output, 0, 5)
  assert.deepEqual([shown(first.pieces), first.end], [['out one\n', 'err two\n'], 8])
  const second = outputPieces(output, first.end, 5)
  assert.deepEqual([shown(second.pieces), second.end], [['gap 5', 'out three\n'], output.totalBytes])
})

test('a character that two pieces share comes out whole', () => {
  const bytes = Buffer.from('né')
  const text = new OutputText()
  assert.deepEqual(text.parts([{ kind: 'out', data: bytes.subarray(0, 2) }]), [{ stream: 'out', text: 'n' }])
  assert.deepEqual(text.parts([{ kind: 'out', data: bytes.subarray(2) }]), [{ stream: 'out', text: 'é' }])
})

test('a file that is missing or no kept output is none', () => {
  const directory = mkdtempSync(`${tmpdir()}/kron-parts-`)
  try {
    assert.equal(readKeptOutput(`${directory}/none`), undefined)
    writeFileSync(`${directory}/other`, 'x'.repeat(100))
    assert.equal(readKeptOutput(`${directory}/other`), undefined)
  } finally {
    rmSync(directory, { recursive: true })
  }
})
