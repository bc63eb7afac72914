import { type Faults, parseDuration, quote } from '@kron/core'
import { splitCommand } from './command.ts'
import { DEFAULT_SETTINGS, type Settings } from './entry.ts'
import { flat } from './flat.ts'
import { readNotifyEvents, readPing, readTargets } from './notify.ts'
import { readOutput } from './output.ts'
import { placeIn, type Word } from './words.ts'

/** The values of the fields of one line, while they are read. */
export interface Draft {
  name: string
  command: string
  shell: boolean
  description: string
  settings: Settings
}

export const emptyDraft = (): Draft => ({
  name: '',
  command: '',
  shell: false,
  description: '',
  settings: DEFAULT_SETTINGS,
})

/** The draft's own settings: most lines have none and share the defaults. */
function settingsOf(draft: Draft): { -readonly [K in keyof Settings]: Settings[K] } {
  if (draft.settings === DEFAULT_SETTINGS) draft.settings = { ...DEFAULT_SETTINGS }
  return draft.settings
}

type Field = (word: Word, draft: Draft, faults: Faults) => void

/** A field whose value is a setting. */
const setting =
  <K extends keyof Settings>(key: K, read: (word: Word, faults: Faults) => Settings[K]): Field =>
  (word, draft, faults) => {
    settingsOf(draft)[key] = read(word, faults)
  }

/** Every field of the format. `print.ts` prints them. */
export const FIELDS: Readonly<Record<string, Field>> = {
  name(word, draft, faults) {
    if (/^[a-z0-9/-]+$/.test(word.value.text)) draft.name = word.value.text
    else
      faults.syntax(
        word.raw,
        `${quote(word.value.text)} is not a job name`,
        'use lower-case letters, digits, - and /',
      )
  },
  command(word, draft) {
    draft.command = flat(word.value.text)
  },
  shell(word, draft, faults) {
    draft.shell = readBoolean(word, faults) ?? false
  },
  user: setting('user', readAccount),
  group: setting('group', readAccount),
  groups: setting('groups', readGroups),
  cwd(word, draft, faults) {
    if (word.value.text.startsWith('/')) settingsOf(draft).cwd = flat(word.value.text)
    else
      faults.syntax(
        word.raw,
        `${quote(word.value.text)} is not an absolute path`,
        'write it from the root: cwd=/srv/app',
      )
  },
  env: readVariable,
  inherit_env: setting('inheritEnv', (word, faults) => readBoolean(word, faults) ?? null),
  umask(word, draft, faults) {
    if (/^0?[0-7]{1,3}$/.test(word.value.text)) settingsOf(draft).umask = Number.parseInt(word.value.text, 8)
    else
      faults.syntax(
        word.raw,
        `${quote(word.value.text)} is not a umask`,
        'write it in octal, for example umask=0027',
      )
  },
  timeout(word, draft, faults) {
    const timeout = faults.take(inside(word), parseDuration(word.value.text)) ?? null
    if (timeout === 0) faults.meaning(word.raw, 'the timeout must be above 0', 'leave it out for no timeout')
    else settingsOf(draft).timeout = timeout
  },
  grace: setting('grace', (word, faults) => faults.take(inside(word), parseDuration(word.value.text)) ?? 0),
  stdout: setting('stdout', (word, faults) => readOutput(word, faults) ?? DEFAULT_SETTINGS.stdout),
  stderr: setting('stderr', (word, faults) => readOutput(word, faults) ?? DEFAULT_SETTINGS.stderr),
  nofile: setting('nofile', readLimit),
  nproc: setting('nproc', readLimit),
  fsize: setting('fsize', readBytes),
  core: setting('core', readBytes),
  nice(word, draft, faults) {
    const { key, value, raw } = word
    if (/^-?\d{1,2}$/.test(value.text) && Number(value.text) >= -20 && Number(value.text) <= 19)
      settingsOf(draft).nice = Number(value.text)
    else
      faults.syntax(
        raw,
        `${key.text} cannot be ${quote(value.text)}`,
        'write a number from -20 to 19, for example nice=10',
      )
  },
  output_keep: setting('outputKeep', (word, faults) => readBytes(word, faults, MOST_KEPT)),
  notify: setting('notify', readTargets),
  notify_on: setting('notifyOn', readNotifyEvents),
  ping: setting('ping', readPing),
  description(word, draft) {
    draft.description = flat(word.value.text)
  },
}

/** Checked after the whole line is read: `shell` decides whether the text is split. */
export function checkCommand(word: Word, { command, shell }: Draft, faults: Faults): void {
  if (shell) {
    if (command.trim() === '')
      faults.syntax(word.raw, 'the command is empty', 'write command="/path/to/program argument"')
    return
  }
  // Most commands have no quote and need not be split to be checked.
  if (!command.includes('"') && command.trim() !== '') return
  const split = splitCommand(command)
  if (split.ok) return
  if (split.problem === 'empty') {
    faults.syntax(word.raw, 'the command names no program', 'write command="/path/to/program argument"')
  } else {
    const where = { text: '\\"', at: placeIn(word, split.at) }
    faults.syntax(where, 'the inner quote is never closed', 'inner quotes come in pairs: \\"two words\\"')
  }
}

/** The value between its quotes, if it has any. */
const inside = (word: Word) => (word.quoted ? { text: word.value.text, at: word.value.at + 1 } : word.value)

function readBoolean({ key, value, raw }: Word, faults: Faults): boolean | undefined {
  if (value.text === 'true' || value.text === 'false') return value.text === 'true'
  return faults.syntax(raw, `${key.text} cannot be ${quote(value.text)}`, 'it is true or false')
}

const HIGHEST_ID = 4_294_967_294
const ACCOUNT = /^(\d{1,10}|[A-Za-z_][\w.-]*\$?)$/

function readAccount({ key, value, raw }: Word, faults: Faults): string | null {
  if (ACCOUNT.test(value.text) && !(Number(value.text) > HIGHEST_ID)) return flat(value.text)
  const hint = `write a name or a number, for example ${key.text}=www-data`
  faults.syntax(raw, `${quote(value.text)} is not a ${key.text}`, hint)
  return null
}

function readVariable(word: Word, draft: Draft, faults: Faults): void {
  const settings = settingsOf(draft)
  const equals = word.value.text.indexOf('=')
  const name = word.value.text.slice(0, Math.max(0, equals))
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    faults.syntax(
      word.raw,
      `${quote(word.value.text)} is not KEY=value`,
      'write for example env=LANG=C or env=OPTS="-v -x"',
    )
  } else if (Object.hasOwn(settings.env, name)) {
    faults.syntax(word.raw, `the variable ${name} is given twice`, 'keep one of them')
  } else {
    if (settings.env === DEFAULT_SETTINGS.env) settings.env = {}
    // A plain assignment would lose a variable called __proto__.
    const value = flat(word.value.text.slice(equals + 1))
    Object.defineProperty(settings.env, flat(name), { value, enumerable: true })
  }
}

/** Names or numbers with commas between them. */
function readGroups({ key, value, raw }: Word, faults: Faults): readonly string[] | null {
  const groups = value.text.split(',')
  if (groups.every(group => ACCOUNT.test(group))) return groups.map(flat)
  const hint = `write names or numbers with commas between them, for example ${key.text}=docker,adm`
  faults.syntax(raw, `${quote(value.text)} is not a list of groups`, hint)
  return null
}

const UNITS: Readonly<Record<string, number>> = { '': 1, K: 1_024, M: 1_024 ** 2, G: 1_024 ** 3 }
const MOST_BYTES = 2 ** 50
/** The most output a run may keep. */
const MOST_KEPT = 64 * 1_024 ** 2

function readBytes({ key, value, raw }: Word, faults: Faults, most = MOST_BYTES): number | null {
  const [, digits, unit = ''] = /^(\d{1,15})([KMG]?)$/.exec(value.text) ?? []
  const bytes = digits === undefined ? Number.NaN : Number(digits) * UNITS[unit]!
  if (bytes <= most) return bytes
  const hint = `write bytes, or K, M, G of them, for example ${key.text}=64K${most === MOST_BYTES ? '' : '; at most 64M'}`
  faults.syntax(raw, `${key.text} cannot be ${quote(value.text)}`, hint)
  return null
}

const HIGHEST_LIMIT = 2_147_483_647

function readLimit({ key, value, raw }: Word, faults: Faults): number | null {
  const limit = /^\d{1,15}$/.test(value.text) ? Number(value.text) : 0
  if (limit >= 1 && limit <= HIGHEST_LIMIT) return limit
  const hint = `write a positive whole number, for example ${key.text}=1024`
  faults.syntax(raw, `${key.text} cannot be ${quote(value.text)}`, hint)
  return null
}
