import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseJobFile } from '@kron/host'
import fc from 'fast-check'
import { convertCrontab } from './crontab/crontab.ts'
import type { Piece } from './imported.ts'
import { writeJobFile } from './job-file.ts'
import { convertTimer } from './systemd/timer.ts'

/** For any input, the importer neither crashes nor writes a file that the parser refuses. */
const corpus = fileURLToPath(new URL('../../corpus/', import.meta.url))

const samples = (directory: string): string[] =>
  readdirSync(corpus + directory, { withFileTypes: true })
    .filter(file => file.isFile())
    .map(file => readFileSync(`${corpus}${directory}/${file.name}`, 'utf8'))

/** Real files with parts removed, doubled, swapped and replaced by noise. */
function mutated(directory: string): fc.Arbitrary<string> {
  const texts = samples(directory)
  const cut = fc.tuple(
    fc.constantFrom(...texts),
    fc.nat(),
    fc.nat(),
    fc.string({ unit: 'binary', maxLength: 12 }),
  )
  return fc
    .array(
      cut.map(([text, a, b, noise]) => {
        const [from, to] = [a % (text.length + 1), b % (text.length + 1)].sort((x, y) => x - y) as [
          number,
          number,
        ]
        return text.slice(0, from) + noise + text.slice(to)
      }),
      { minLength: 1, maxLength: 3 },
    )
    .map(parts => parts.join('\n'))
}

const noise = fc.string({ unit: 'binary', maxLength: 200 })

function checkPieces(pieces: readonly Piece[]): void {
  const { text, entries } = writeJobFile([{ file: 'some\nfile', pieces }], '/etc/krond.d/imported.kron')
  const read = parseJobFile(text, '/etc/krond.d/imported.kron')
  assert.deepEqual(read.faults, [])
  assert.deepEqual(
    read.entries.map(entry => entry.name),
    entries.map(({ entry }) => entry.name),
  )
}

test('no crontab makes the importer crash or write a bad file', () => {
  fc.assert(
    fc.property(fc.oneof(mutated('crontab'), mutated('system'), noise), fc.boolean(), (text, withUser) => {
      checkPieces(
        convertCrontab('crontab', text, {
          withUser,
          zone: 'Europe/Berlin',
          kind: withUser ? 'debian' : 'cronie',
          findUser: name => ({
            name: name ?? 'ada',
            uid: 1,
            gid: 1,
            home: '/',
            shell: '/bin/sh',
            groups: [1],
          }),
        }),
      )
    }),
    { numRuns: 3_000, seed: 8 },
  )
})

test('no unit makes the importer crash or write a bad file', () => {
  const unit = fc.oneof(mutated('systemd'), noise)
  fc.assert(
    fc.property(unit, unit, (timer, service) => {
      const zone = 'Europe/Berlin'
      const name = 'fuzz@a.timer'
      checkPieces(
        convertTimer({
          name,
          timer: [{ path: name, text: timer }],
          service: [{ path: 's', text: service }],
          zone,
        }),
      )
    }),
    { numRuns: 2_000, seed: 8 },
  )
})
