import { didYouMean, type Fault, Faults, quote, type Schedule, saltFault } from '@kron/core'
import { Entry } from './entry.ts'
import { checkCommand, type Draft, emptyDraft, FIELDS } from './fields.ts'
import { flat } from './flat.ts'
import { rewrittenCrontabLine } from './pasted-crontab.ts'
import type { Sharing } from './sharing.ts'
import { scanWords, type Word } from './words.ts'

export interface Line {
  /** Undefined if the line has faults. */
  readonly entry: Entry | undefined
  /** Present even for a faulty entry; empty if it has no name. */
  readonly identity: string
  readonly nameAt: number
  readonly faults: readonly Fault[]
}

/** Reads one entry of the file at `path`. Offsets of faults count from the start of the line. */
export function parseLine(line: string, number: number, path: string, sharing: Sharing): Line {
  const faults = new Faults()
  const head = readHead(line, sharing, faults)
  if (head.schedule?.seed.salt.includes('%')) checkSalt(line, head.schedule.seed.salt, faults)
  const words = scanWords(line, head.end, faults)
  const draft = emptyDraft()
  const given = readFields(words.list, draft, faults)
  const command = given.get('command')
  if (command?.sound) checkCommand(command, draft, faults)
  // A line without a schedule and without fields is not reported as an entry that lacks fields.
  if (words.complete && (words.list.length > 0 || faults.list.length === 0))
    requireFields(line, words.list, given, faults)
  const rewritten =
    given.size > 0
      ? undefined
      : rewrittenCrontabLine(
          line,
          text => sharing.schedule(text) !== undefined || sharing.head(`${text} name=a`).faults.length === 0,
        )
  if (rewritten !== undefined) {
    const faults = new Faults()
    faults.syntax(
      { text: line.trim(), at: 0 },
      'this is a line of a crontab, not of a job file',
      `write: ${rewritten}`,
    )
    return { entry: undefined, identity: '', nameAt: 0, faults: faults.list }
  }
  const identity = draft.name === '' ? '' : flat(`${path}:${draft.name}`)
  const nameAt = given.get('name')?.value.at ?? 0
  if (faults.list.length > 0 || head.schedule === undefined) {
    return { entry: undefined, identity, nameAt, faults: faults.list.toSorted((a, b) => a.at - b.at) }
  }
  const settings = sharing.settings(draft.settings)
  const { command: text, shell, description } = draft
  const entry = new Entry(identity, head.schedule, text, shell, settings, description, number)
  return { entry, identity, nameAt, faults: [] }
}

const FIRST_FIELD = /(?<=^|[ \t])[a-z_]+=/g

interface Head {
  readonly schedule: Schedule | undefined
  readonly end: number
}

function readHead(line: string, sharing: Sharing, faults: Faults): Head {
  FIRST_FIELD.lastIndex = 0
  const end = FIRST_FIELD.exec(line)?.index ?? line.length
  const schedule = sharing.schedule(line.slice(0, end).trimEnd())
  if (schedule !== undefined) return { schedule, end }
  const head = sharing.head(line)
  faults.list.push(...head.faults)
  return head
}

/** The engine takes a salt literally; in a job file `%` begins a specifier. */
function checkSalt(line: string, salt: string, faults: Faults): void {
  const fault = saltFault(salt)
  if (fault === undefined) return
  const at = line.indexOf('%', line.indexOf('salt='))
  faults.syntax({ text: '%', at }, fault.message, fault.hint)
}

function readFields(words: readonly Word[], draft: Draft, faults: Faults): Map<string, Word> {
  const given = new Map<string, Word>()
  for (const word of words) {
    const key = word.key.text
    const field = Object.hasOwn(FIELDS, key) ? FIELDS[key] : undefined
    if (field === undefined) {
      const hint = keyHint(key)
      faults.syntax(word.key, `unknown key ${quote(key)}`, hint)
    } else if (given.has(key) && key !== 'env')
      faults.syntax(word.key, `${key} is given twice`, 'keep one of them')
    else if (!word.sound) given.set(key, word)
    else if (word.value.text === '' && !word.quoted) {
      given.set(key, { ...word, sound: false })
      faults.syntax(
        { text: `${key}=`, at: word.key.at },
        `${key} has no value`,
        'write it after the = without a blank',
      )
    } else {
      given.set(key, word)
      field(word, draft, faults)
    }
  }
  return given
}

/** Words of other programs for a key. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ['cmd', 'command'],
  ['exec', 'command'],
  ['run', 'command'],
  ['program', 'command'],
  ['script', 'command'],
  ['id', 'name'],
  ['job', 'name'],
  ['title', 'name'],
  ['dir', 'cwd'],
  ['directory', 'cwd'],
  ['workdir', 'cwd'],
  ['environment', 'env'],
  ['desc', 'description'],
])
/** Parts of the schedule that people write like keys. */
const MODIFIER_KEYS: ReadonlyMap<string, string> = new Map([
  ['tz', '@tz(Europe/Paris)'],
  ['timezone', '@tz(Europe/Paris)'],
  ['window', '@win(after,1h)'],
  ['win', '@win(after,1h)'],
  ['dist', '@dist(normal)'],
  ['deadline', '@policy(deadline=10m)'],
  ['concurrency', '@policy(concurrency=forbid)'],
])

function keyHint(key: string): string {
  const modifier = MODIFIER_KEYS.get(key.toLowerCase())
  if (modifier !== undefined) return `it belongs to the schedule, before the keys: ${modifier}`
  const meant = OTHER_WORDS.get(key.toLowerCase())
  if (meant !== undefined) return `did you mean ${meant}?`
  return didYouMean(key, Object.keys(FIELDS)) ?? `keys are ${Object.keys(FIELDS).join(' ')}`
}

function requireFields(
  line: string,
  words: readonly Word[],
  given: ReadonlyMap<string, Word>,
  faults: Faults,
): void {
  if (given.has('name') && given.has('command')) return
  const end = { text: '', at: line.trimEnd().length }
  if (!given.has('name')) faults.syntax(end, 'the name is missing', 'add name=some-name')
  // One mistake is enough for cmd=.
  const hasOther = words.some(({ key }) => OTHER_WORDS.get(key.text.toLowerCase()) === 'command')
  if (!given.has('command') && !hasOther)
    faults.syntax(end, 'the command is missing', 'add command=/path/to/program')
}
