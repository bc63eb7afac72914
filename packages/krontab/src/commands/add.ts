import { mkdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { type Given, plural } from '@kron/cli'
import { parseJobFile, readJobFile } from '@kron/host'
import { firstConfigDirectory } from '../daemon-places.ts'
import type { Host } from '../host.ts'
import { install } from '../install.ts'
import { trustOf } from '../load.ts'
import { printJson } from '../print.ts'
import type { ADD } from '../program/change.ts'
import { BAD_INPUT, INVALID, OK, Refusal } from '../refusal.ts'
import { showFaults } from '../show-faults.ts'

export async function run(host: Host, options: Given<typeof ADD.options>): Promise<number> {
  if (options.file === undefined)
    throw new Refusal(BAD_INPUT, '--file is missing', 'krontab add --file backup.kron')
  const source = resolve(host.cwd, options.file)
  const target = join(directoryOf(host, options.to), basename(source))
  if (!target.endsWith('.kron')) {
    throw new Refusal(
      BAD_INPUT,
      `${basename(target)} is not called *.kron`,
      'krond reads only files that are',
    )
  }
  const read = readJobFile(source)
  if (!read.ok)
    throw new Refusal(
      read.fault.kind === 'malformed' ? INVALID : BAD_INPUT,
      `${options.file}: ${read.fault.message}`,
      read.fault.hint,
    )
  const { entries, faults } = parseJobFile(read.text, target)
  if (faults.length > 0) {
    showFaults(host, options.file, faults)
    throw new Refusal(INVALID, `${options.file} has ${plural(faults.length, 'error')} and was not installed`)
  }
  await install({ path: target, text: read.text, replace: options.replace, trust: trustOf(host) })
  if (options.format === 'json')
    printJson(host, { installed: target, jobs: entries.map(entry => entry.name) })
  else host.out(`installed ${target} with ${plural(entries.length, 'job')}; krond reload takes it up\n`)
  return OK
}

function directoryOf(host: Host, to: string | undefined): string {
  if (to !== undefined) return resolve(host.cwd, to)
  const directory = firstConfigDirectory(host)
  try {
    mkdirSync(directory, { recursive: true, mode: host.uid === 0 ? 0o755 : 0o700 })
  } catch (error) {
    throw new Refusal(BAD_INPUT, `cannot make the config directory ${directory}: ${(error as Error).message}`)
  }
  return directory
}
