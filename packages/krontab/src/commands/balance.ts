import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Given } from '@kron/cli'
import { LATEST, type SaltPlace } from '@kron/core'
import { changeSalts, parseJobFile } from '@kron/host'
import type { CommandContext } from '../context/command-context.ts'
import { countOption, instantOption, secondsOption } from '../context/option-values.ts'
import { printAnswer } from '../context/print.ts'
import { badInput } from '../context/refusal.ts'
import type { Run } from '../context/run.ts'
import { balanceEntries, type SaltChange } from '../fleet/balance-files.ts'
import { readHosts } from '../fleet/hosts-file.ts'
import { defaultSalt, placeOf } from '../fleet/salts.ts'
import { install, requireSafeDirectory } from '../job-files/install.ts'
import { identityPath, jobFilePaths, loadEntries, requireFile, trustOf } from '../job-files/load.ts'
import type { BALANCE } from '../program/preview-commands.ts'
import { balanceDocument, balanceText } from '../view/balance.ts'

type Options = Given<typeof BALANCE.options>

const DAY = 86_400
const LONGEST = 31 * DAY
const MOST_BUCKETS = 100_000
const MOST_HOSTS = 100_000

export const run: Run<typeof BALANCE> = async (context, options) => {
  const length = secondsOption('for', options.for, 7 * DAY)
  const bucket = secondsOption('bucket', options.bucket, 60)
  const at = instantOption('at', options.at, context)
  // All runs on one day use the same start time, so that a second run finds nothing to change.
  const from = options.at === undefined ? at - (at % DAY) : at
  if (length > LONGEST) throw badInput('--for is longer than 31 days', 'write at most 31d')
  if (length / bucket > MOST_BUCKETS || from + length > LATEST)
    throw badInput(`that would be more than ${MOST_BUCKETS} buckets`, 'choose a longer --bucket')
  const capacity =
    options.capacity === undefined ? undefined : countOption('capacity', options.capacity, 1, 1e9)
  const entries = loadEntries(context, options)
  const places = placesOf(context, options)
  const span = { from, to: from + length, bucket }
  const { text: salt } = defaultSalt(context, options)
  const { balance, changes } = balanceEntries(context, entries, places, salt, span)
  if (options.write) await write(context, options, changes)
  const report = {
    balance,
    changes,
    jobs: entries.length,
    hosts: places.length,
    capacity,
    written: options.write,
  }
  return printAnswer(context, options, balanceDocument(report), () => balanceText(report, context.terminal))
}

function placesOf(context: CommandContext, options: Options): readonly SaltPlace[] {
  if (options.hosts === undefined || options.host !== undefined) return [placeOf(context, options)]
  const places: SaltPlace[] = []
  for (const batch of readHosts(context, options.hosts)) {
    for (const place of batch.places) places.push(place)
    if (places.length > MOST_HOSTS)
      throw badInput(`${options.hosts} has more than ${MOST_HOSTS} hosts`, 'a sample of them is enough')
  }
  if (places.length > 0) return places
  throw badInput(`${options.hosts} holds no host`, 'write one a line')
}

/** Writes the salts into the files. All files are checked before the first is written. */
async function write(
  context: CommandContext,
  options: Options,
  changes: readonly SaltChange[],
): Promise<void> {
  const trust = trustOf(context)
  const installations = jobFilePaths(context, options).flatMap(name => {
    const identity = identityPath(context, name, options)
    const salts = new Map(
      changes.filter(({ entry }) => entry.path === identity).map(({ entry, to }) => [entry.line, to]),
    )
    if (salts.size === 0) return []
    const path = resolve(context.cwd, name)
    const read = requireFile(path, name)
    const text = changeSalts(read.text, salts)
    if (parseJobFile(text, identity).faults.length > 0)
      throw badInput(`${name} changed while it was balanced`, 'run it again')
    requireSafeDirectory(path, trust)
    const target = read.symlink ? realpathSync(path) : path
    return [{ path: target, text, like: read.stats, replace: true, trust }]
  })
  for (const installation of installations) await install(installation)
}
