import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findZone, ianaSpelling, runtimeZoneData, UTC, Zone } from '@kron/core'
import { TzifError } from './tzif.ts'
import { zoneTableOf } from './zone-table.ts'

/** The usual directory of zone files. */
export const ZONEINFO = '/usr/share/zoneinfo'

/** A zone file that exists but cannot be used: the zone keeps the rules that were read before, or has the runtime's. */
export interface UnusedZoneFile {
  readonly name: string
  readonly path: string
  readonly why: string
}

interface Known {
  readonly zone: Zone | undefined
  /** Changes if the file is replaced; empty if there was none. */
  readonly stamp: string
  readonly unused?: UnusedZoneFile
}

/**
 * The zones of this host: from its TZif files, and where one is missing or unusable, from the runtime's own data.
 * Files are read when a zone is first asked for, and again only after `refresh`.
 */
export class HostZones {
  readonly #directory: string | undefined
  readonly #known = new Map<string, Known>()
  #versionMemo: string | undefined

  /** Without a directory every zone comes from the runtime. */
  constructor(directory: string | undefined) {
    this.#directory = directory
  }

  readonly find = (name: string): Zone | undefined => {
    if (name === 'UTC') return UTC
    const known = this.#known.get(name)
    if (known !== undefined) return known.zone
    const path = this.#pathOf(name)
    if (path === undefined) return findZone(name)
    const found = this.#read(name, path)
    // Unknown names are not cached, so they cannot pile up.
    if (found.zone !== undefined) this.#known.set(name, found)
    return found.zone
  }

  /** The version of the zone data: `tzdata 2026c`, or the runtime's if there are no files. */
  source(): string {
    if (this.#directory === undefined || !isDirectory(this.#directory)) return runtimeZoneData()
    this.#versionMemo ??= versionIn(this.#directory)
    return `tzdata ${this.#versionMemo}`
  }

  /** The zones in use whose files exist but cannot be used. */
  unused(): UnusedZoneFile[] {
    return [...this.#known.values()].flatMap(({ unused }) => unused ?? [])
  }

  /**
   * Checks whether files of known zones have changed, and reads those again. Returns the zones that changed; a zone
   * whose file did not change keeps its object, and a zone whose new file is unusable keeps its old table.
   */
  refresh(): string[] {
    this.#versionMemo = undefined
    const changed: string[] = []
    for (const [name, known] of this.#known) {
      const path = this.#pathOf(name)!
      if (stampOf(path) === known.stamp) continue
      const again = this.#read(name, path)
      const isUsable = again.zone !== undefined && again.unused === undefined
      if (isUsable) changed.push(name)
      this.#known.set(name, isUsable ? again : { ...again, zone: known.zone })
    }
    return changed
  }

  #pathOf(name: string): string | undefined {
    // The spelling limits names to known regions; no part of a name may lead out of the directory.
    const isName = ianaSpelling(name) === name && /^[\w+-]+(?:\/[\w+-]+)*$/.test(name)
    return this.#directory === undefined || !isName ? undefined : join(this.#directory, name)
  }

  #read(name: string, path: string): Known {
    const stamp = stampOf(path)
    if (stamp === '') return { zone: findZone(name), stamp }
    try {
      return { zone: Zone.fromTable(name, zoneTableOf(readSmall(path), this.source())), stamp }
    } catch (error) {
      const why =
        error instanceof TzifError ? error.message : `it cannot be read: ${(error as Error).message}`
      return { zone: findZone(name), stamp, unused: { name, path, why } }
    }
  }
}

/** The largest file in use has 4 KiB, or 64 KiB with every transition until 2037 spelt out twice. */
const MOST_BYTES = 65_536

/** Opening a FIFO or a device never blocks, and a huge file costs no more than a small one. */
function readSmall(path: string): Uint8Array {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  try {
    if (!fstatSync(descriptor).isFile()) throw new TzifError('it is not a regular file')
    const bytes = new Uint8Array(MOST_BYTES + 1)
    let length = 0
    while (length <= MOST_BYTES) {
      const read = readSync(descriptor, bytes, length, bytes.length - length, null)
      if (read === 0) return bytes.subarray(0, length)
      length += read
    }
    throw new TzifError(`it is larger than ${MOST_BYTES} bytes`)
  } finally {
    closeSync(descriptor)
  }
}

function stampOf(path: string): string {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
    return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`
  } catch {
    return ''
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** The version of the tz database is in the first line of `tzdata.zi`, or in `+VERSION`. */
function versionIn(directory: string): string {
  for (const [file, pattern] of [
    ['tzdata.zi', /^# version (\S{1,32})\s/],
    ['+VERSION', /^(\S{1,32})\s*$/],
  ] as const) {
    try {
      const version = pattern.exec(firstBytes(join(directory, file)))?.[1]
      if (version !== undefined && /^[\w.+-]+$/.test(version)) return version
    } catch {
      // The next file may hold it.
    }
  }
  return 'of unknown version'
}

function firstBytes(path: string): string {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  try {
    const bytes = new Uint8Array(64)
    return new TextDecoder('latin1').decode(bytes.subarray(0, readSync(descriptor, bytes, 0, 64, null)))
  } finally {
    closeSync(descriptor)
  }
}

let zones: HostZones | undefined

/**
 * The zones of this process. `TZDIR` names another directory, as it does for the C library; if it is set and empty,
 * every zone comes from the runtime.
 */
export function hostZones(): HostZones {
  const { TZDIR = ZONEINFO } = process.env
  zones ??= new HostZones(TZDIR === '' ? undefined : TZDIR)
  return zones
}
