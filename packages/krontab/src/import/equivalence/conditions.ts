import { type Accounts, type Entry, RunAs, runSpecOf } from '@kron/host'

/** The conditions under which a command runs, apart from its times. */
export interface Conditions {
  /** Undefined: the user who runs krond. */
  readonly user: string | undefined
  /** All groups as numbers; undefined if they are not known here. */
  readonly groups: readonly number[] | undefined
  /** The program that reads the command; undefined: none. */
  readonly shell: string | undefined
  readonly directory: string | undefined
  readonly umask: number
  readonly environment: Readonly<Record<string, string>>
  /** The addresses that get every output, joined by commas; undefined: nobody. */
  readonly mail: string | undefined
}

/** One condition that an imported job does not share with its original, in words. */
export interface ConditionDifference {
  readonly what: 'user' | 'groups' | 'shell' | 'directory' | 'umask' | 'environment' | 'mail'
  readonly original: string
  readonly kron: string
}

const OCCASION = { executionId: 'none', nominalTime: '', chosenTime: '' }

/** Every difference between the conditions of an original and those krond gives to the imported job. */
export function compareConditions(
  original: Conditions,
  entry: Entry,
  accounts: Accounts,
): ConditionDifference[] {
  const kron = conditionsOf(entry, accounts)
  const differences: ConditionDifference[] = []
  const compare = (what: ConditionDifference['what'], a: string, b: string): void => {
    if (a !== b) differences.push({ what, original: a, kron: b })
  }
  compare('user', original.user ?? 'the user of krond', kron.user ?? 'the user of krond')
  if (original.groups !== undefined) compare('groups', listed(original.groups), listed(kron.groups ?? []))
  // A command of plain words is the same with and without a shell.
  if (kron.shell !== undefined) compare('shell', original.shell ?? 'none', kron.shell)
  compare('directory', original.directory ?? 'unknown', kron.directory ?? 'the directory of krond')
  compare('umask', octal(original.umask), octal(kron.umask))
  const names = new Set([...Object.keys(original.environment), ...Object.keys(kron.environment)])
  for (const name of [...names].sort())
    compare('environment', variable(original.environment, name), variable(kron.environment, name))
  compare('mail', original.mail ?? 'none', kron.mail ?? 'none')
  return differences
}

const listed = (groups: readonly number[]): string => [...new Set(groups)].sort((a, b) => a - b).join(',')
const octal = (umask: number): string => umask.toString(8).padStart(4, '0')
const variable = (environment: Conditions['environment'], name: string): string =>
  name in environment ? `${name}=${environment[name]}` : `no ${name}`

const KRON_UMASK = 0o022

/** The environment that krond's own code gives to the command, without the variables KRON_*. */
function conditionsOf(entry: Entry, accounts: Accounts): Conditions {
  const runAs = new RunAs(accounts, true)
  const identity = runAs.check(entry) === undefined ? runAs.of(entry) : undefined
  const spec = runSpecOf(entry, OCCASION, {}, identity)
  const { user, umask, notify, notifyOn } = entry.settings
  const mailed = notifyOn?.includes('output') ? (notify ?? []) : []
  return {
    user: user ?? undefined,
    groups: identity?.groups,
    shell: shellOf(entry),
    directory: spec.cwd,
    umask: umask ?? KRON_UMASK,
    environment: Object.fromEntries(
      Object.entries(spec.environment).filter(([name]) => !name.startsWith('KRON_')),
    ),
    mail: mailed.flatMap(target => (target.kind === 'mail' ? [target.address] : [])).join(',') || undefined,
  }
}

/** A job with another shell hands its command over to it. */
function shellOf({ shell, command }: Entry): string | undefined {
  if (!shell) return undefined
  return /^(?:exec |printf '%s\\n' [^|]*\| )(\S+) -c /.exec(command)?.[1] ?? '/bin/sh'
}
