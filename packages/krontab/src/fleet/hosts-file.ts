import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { resolve } from 'node:path'
import { quote, type SaltPlace } from '@kron/core'
import type { Host } from '../host.ts'
import { BAD_INPUT, Refusal } from '../refusal.ts'

/** Some hosts of a file, and the number of bytes read so far. */
export interface HostBatch {
  readonly places: readonly SaltPlace[]
  readonly done: number
  readonly total: number
}

const CHUNK = 65_536
const LONGEST_LINE = 1_024
const HASH = /^[0-9a-f]{32}$/

/** Reads the hosts of a file piece by piece, so that a fleet of any size uses the same memory. */
export function* readHosts(host: Host, name: string): Generator<HostBatch, void, void> {
  const file = open(resolve(host.cwd, name), name)
  try {
    const total = fstatSync(file).size
    const buffer = Buffer.alloc(CHUNK)
    let rest = ''
    let line = 0
    let done = 0
    for (;;) {
      const length = readSync(file, buffer)
      done += length
      const lines = (rest + buffer.toString('latin1', 0, length)).split('\n')
      rest = length === 0 ? '' : lines.pop()!
      if (rest.length > LONGEST_LINE) throw bad(name, line + lines.length + 1, 'the line is too long')
      const places = lines.flatMap(text => placeOf(text, name, ++line) ?? [])
      if (places.length > 0) yield { places, done, total }
      if (length === 0) return
    }
  } finally {
    closeSync(file)
  }
}

function open(path: string, name: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    const hint = 'write one host a line: NAME, or NAME and what krontab host prints there after it'
    throw new Refusal(BAD_INPUT, `cannot read ${name}: ${(error as Error).message}`, hint)
  }
}

function placeOf(text: string, name: string, line: number): SaltPlace | undefined {
  const words = text.trim().split(/\s+/)
  const [host = '', machine] = words
  if (host === '' || host.startsWith('#')) return undefined
  if (words.length > 2) throw bad(name, line, `unexpected ${quote(words[2]!)}`)
  if (machine !== undefined && !HASH.test(machine))
    throw bad(name, line, `${quote(machine)} is not the hash of a machine id`)
  return { host, machine }
}

const bad = (name: string, line: number, why: string): Refusal =>
  new Refusal(
    BAD_INPUT,
    `${name}:${line}: ${why}`,
    'a line is NAME or NAME HASH; krontab host prints the line of the host it runs on',
  )

/** The place of one host of a file. */
export function findHost(host: Host, file: string, wanted: string): SaltPlace {
  for (const { places } of readHosts(host, file)) {
    const found = places.find(place => place.host === wanted)
    if (found !== undefined) return found
  }
  throw new Refusal(BAD_INPUT, `there is no host ${quote(wanted)} in ${file}`)
}
