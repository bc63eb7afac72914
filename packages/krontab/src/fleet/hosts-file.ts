import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { resolve } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { quote, type SaltPlace } from '@kron/core'
import type { CommandContext } from '../context/command-context.ts'
import { badInput, type Refusal } from '../context/refusal.ts'

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
export function* readHosts(context: CommandContext, name: string): Generator<HostBatch, void, void> {
  const file = open(resolve(context.cwd, name), name)
  try {
    const total = fstatSync(file).size
    const buffer = Buffer.alloc(CHUNK)
    const decoder = new StringDecoder('utf8')
    const lines = new HostLines(name)
    let done = 0
    for (;;) {
      const length = readSync(file, buffer)
      done += length
      const places = length === 0 ? lines.end() : lines.add(decoder.write(buffer.subarray(0, length)))
      if (places.length > 0) yield { places, done, total }
      if (length === 0) return
    }
  } finally {
    closeSync(file)
  }
}

/** Reads the lines of a hosts file from pieces of any length. */
export class HostLines {
  readonly #name: string
  #rest = ''
  #line = 0

  /** The name of the file, for messages. */
  constructor(name: string) {
    this.#name = name
  }

  /** The hosts of the lines that this piece completes. */
  add(piece: string): SaltPlace[] {
    const lines = (this.#rest + piece).split('\n')
    this.#rest = lines.pop()!
    const places = lines.flatMap(text => this.#read(text))
    if (this.#rest.length > LONGEST_LINE) throw bad(this.#name, this.#line + 1, 'the line is too long')
    return places
  }

  /** The host of a last line without an end. */
  end(): SaltPlace[] {
    return this.#read(this.#rest)
  }

  #read(text: string): SaltPlace[] {
    const line = ++this.#line
    if (text.length > LONGEST_LINE) throw bad(this.#name, line, 'the line is too long')
    const place = placeOf(text, this.#name, line)
    return place === undefined ? [] : [place]
  }
}

function open(path: string, name: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    const hint = 'write one host a line: NAME, or NAME and what krontab host prints there after it'
    throw badInput(`cannot read ${name}: ${(error as Error).message}`, hint)
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
  badInput(
    `${name}:${line}: ${why}`,
    'a line is NAME or NAME HASH; krontab host prints the line of the host it runs on',
  )

/** The place of one host of a file. */
export function findHost(context: CommandContext, file: string, wanted: string): SaltPlace {
  for (const { places } of readHosts(context, file)) {
    const found = places.find(place => place.host === wanted)
    if (found !== undefined) return found
  }
  throw badInput(`there is no host ${quote(wanted)} in ${file}`)
}
