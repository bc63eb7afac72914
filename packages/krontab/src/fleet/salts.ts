import { expandSalt, isKronError, type SaltPlace, saltFault } from '@kron/core'
import { type Entry, isMachineId, machineHash, readConf, Salting } from '@kron/host'
import type { CommandContext } from '../context/command-context.ts'
import { badInput } from '../context/refusal.ts'
import { findHost } from './hosts-file.ts'

/** The host for which a command answers, and the salt of its jobs there. */
export interface PlaceOptions {
  readonly host?: string | undefined
  readonly 'machine-id'?: string | undefined
  readonly hosts?: string | undefined
  readonly salt?: string | undefined
}

/** The default salt and its source. */
export interface DefaultSalt {
  readonly text: string
  readonly from: string
}

/** Searches like krond: first the option, then the variable, then the file. */
export function defaultSalt(context: CommandContext, { salt }: PlaceOptions): DefaultSalt {
  const found = salt === undefined ? ofSurroundings(context) : { text: salt, from: '--salt' }
  const fault = saltFault(found.text)
  if (fault !== undefined) throw badInput(`${found.from}: ${fault.message}`, fault.hint)
  return found
}

function ofSurroundings({ env, confFile }: CommandContext): DefaultSalt {
  const variable = env['KROND_SALT']
  if (variable) return { text: variable, from: 'KROND_SALT' }
  try {
    return { text: readConf(confFile)['salt'] ?? '', from: confFile }
  } catch (error) {
    if (!isKronError(error)) throw error
    throw badInput(error.message, error.hint ?? '--salt "" does without it')
  }
}

/** The host that the options name; otherwise this host. */
export function placeOf(context: CommandContext, options: PlaceOptions): SaltPlace {
  const { host: name, 'machine-id': id, hosts } = options
  if (name === undefined && id === undefined) return context.place()
  if (id !== undefined && !isMachineId(id))
    throw badInput(
      '--machine-id must be 32 lower-case hex digits, as in /etc/machine-id',
      'the hash of an id goes into a file for --hosts',
    )
  if (id !== undefined) return { host: name ?? context.place().host, machine: machineHash(id) }
  if (hosts !== undefined) return findHost(context, hosts, name!)
  const own = context.place()
  return name === own.host ? own : { host: name!, machine: undefined }
}

/** The salt that is written in a file, on one host of a fleet. */
export function saltAt(written: string, place: SaltPlace, where = ''): string {
  const salt = expandSalt(written, place)
  if (salt.ok) return salt.value
  const hint = 'write the hash of its machine id after its name; krontab host prints it there'
  throw badInput(`${where}${salt.faults[0]!.message}`, hint)
}

export const saltingOf = (context: CommandContext, options: PlaceOptions): Salting =>
  new Salting(placeOf(context, options), defaultSalt(context, options).text)

/** The entries with the salts of the host. */
export const saltedEntries = (entries: readonly Entry[], salting: Salting): Entry[] =>
  entries.map(entry => salted(entry, salting))

export function salted(entry: Entry, salting: Salting): Entry {
  const result = salting.entry(entry)
  if (result.ok) return result.value
  const { message, hint } = result.faults[0]!
  // A salt without a mistake fails only where the machine is not known.
  const isMistaken = saltFault(entry.schedule.seed.salt) !== undefined
  throw badInput(
    `${entry.name}: ${message}`,
    isMistaken ? hint : 'name the machine with --machine-id, or a file of hosts with --hosts',
  )
}
