import { basename, dirname, join, resolve } from 'node:path'
import type { Accounts } from '@kron/host'
import type { CommandContext } from '../context/command-context.ts'
import { badInput } from '../context/refusal.ts'
import { convertCrontab, type KnownUser } from './crontab/crontab.ts'
import type { CronKind } from './crontab/environment.ts'
import type { Conversion } from './imported.ts'
import { readSource, readSystem, readUnitFiles } from './sources.ts'
import { convertTimer, serviceOf, type TimerUnit } from './systemd/timer.ts'

export interface Wanted {
  readonly crontab: readonly string[]
  readonly system: readonly string[]
  readonly systemd: readonly string[]
  readonly user: string | undefined
  readonly zone: string
  readonly kind: CronKind
  /** The salt of windows that differ from host to host. */
  readonly salt: string
}

/** Reads and converts everything that becomes part of a job file. */
export function gather(context: CommandContext, wanted: Wanted, accounts: Accounts): Conversion[] {
  const findUser = (user: string | undefined): KnownUser | undefined => {
    const account = accounts.findUser(user ?? String(context.uid))
    return account === undefined ? undefined : { ...account, groups: accounts.groupsOf(account) }
  }
  const { zone, kind, salt } = wanted
  const options = { zone, kind, salt, findUser }
  const conversions: Conversion[] = []
  for (const path of wanted.crontab) {
    const { path: file, text } = readSource(context, path)
    const owner = wanted.user ?? ownerOf(resolve(context.cwd, path))
    conversions.push({
      file,
      pieces: convertCrontab(file, text, { ...options, withUser: false, owner }),
    })
  }
  for (const path of wanted.system) {
    const { sources, ignored } = readSystem(context, path)
    for (const { path: file, text } of sources)
      conversions.push({ file, pieces: convertCrontab(file, text, { ...options, withUser: true }) })
    for (const file of ignored) {
      const message = 'cron leaves out files with such names, and so does the import'
      conversions.push({
        file,
        pieces: [{ kind: 'remark', remark: { file, line: 0, kind: 'changed', message } }],
      })
    }
  }
  for (const path of wanted.systemd) conversions.push(gatherTimer(context, path, options))
  return conversions
}

function gatherTimer(
  context: CommandContext,
  path: string,
  options: Pick<TimerUnit, 'zone' | 'salt' | 'findUser'>,
): Conversion {
  if (!path.endsWith('.timer')) throw badInput(`${path} is not called *.timer`)
  const timer = readUnitFiles(context, path)
  const found = timer[0]?.path
  if (found === undefined) throw badInput(`cannot find the timer ${path}`)
  const name = basename(path)
  const service = serviceOf(name, timer)
  const beside = readUnitFiles(context, join(dirname(found), service))
  const services = beside.length > 0 ? beside : readUnitFiles(context, service)
  return { file: found, pieces: convertTimer({ ...options, name, timer, service: services }) }
}

/** The user whose crontab lies in cron's spool. */
const ownerOf = (path: string): string | undefined =>
  /^\/var\/spool\/cron\/(?:crontabs\/|tabs\/)?([^/]+)$/.exec(path)?.[1]
