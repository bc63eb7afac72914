import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { columns } from '@kron/cli'
import { decide, parseInstant, recordOf } from '@kron/core'
import { type Entry, parseJobFile } from '@kron/host'
import { MISTAKEN_FILE } from '@kron/testkit/faulty-lines'
import { type ContextParts, krontab } from '@kron/testkit/krontab/run-krontab'
import { periodEvents, seen, writeStates } from '@kron/testkit/sample-states'
import { Ajv2020 } from 'ajv/dist/2020.js'

const golden = fileURLToPath(new URL('../golden', import.meta.url))
const schemas = fileURLToPath(new URL('../../../docs/json', import.meta.url))
const here = realpathSync(mkdtempSync(join(tmpdir(), 'kron-golden-')))
const AT = '2026-03-01T01:30:00Z'
const NOW = instant('2026-03-02T12:00:00Z')

interface Case extends ContextParts {
  readonly name: string
  readonly line: string
  /** The schema that the output must satisfy. */
  readonly schema?: string
}

const SHOP = `--file shop.kron --as /etc/krond.d --at ${AT}`
const STATE = '--file shop.kron --as /etc/krond.d --state-dir state'
const json = (name: string, line: string): Case => ({
  name: `${name}-json`,
  line: `${line} --format json`,
  schema: name,
})

/** The output on a terminal of 80 columns; no row may wrap. */
const narrow = (name: string, line: string): Case => ({
  ...{ name: `${name}-narrow`, line, terminal: { width: 80 } },
})

const CASES: readonly Case[] = [
  { name: 'help', line: '--help' },
  ...[
    'lint',
    'explain',
    'next',
    'forecast',
    'balance',
    'list',
    'add',
    'remove',
    'edit',
    'import',
    'run',
    'history',
    'output',
    'trigger',
    'pause',
    'resume',
    'reset',
    'audit',
    'notify',
    'console',
    'token',
    'status',
    'prune',
    'verify',
    'host',
    'calendar',
    'completion',
  ].map(command => ({ name: `help-${command}`, line: `${command} --help` })),
  { name: 'unknown-command', line: 'forcast' },
  { name: 'unknown-option', line: 'next --cuont 3' },
  { name: 'lint', line: `lint --file shop.kron --at ${AT}` },
  { name: 'lint-mistakes', line: 'lint --file mistakes.kron' },
  { name: 'lint-warnings', line: `lint --file doubtful.kron --at ${AT}` },
  { name: 'lint-strict', line: `lint --file doubtful.kron --at ${AT} --strict`, terminal: { colour: true } },
  { name: 'lint-missing', line: 'lint --file nowhere.kron' },
  json('lint', `lint --file doubtful.kron --at ${AT}`),
  {
    ...json('lint', `lint --file shop.kron --file mistakes.kron --file nowhere.kron --at ${AT}`),
    name: 'lint-several-json',
  },
  { name: 'explain', line: `explain db/backup ${SHOP}` },
  { name: 'explain-ascii', line: `explain feed/sync ${SHOP}`, terminal: { unicode: false, width: 60 } },
  {
    name: 'explain-colour',
    line: `explain db/backup --period 2026-03-07T01:00:00Z ${SHOP}`,
    terminal: { colour: true },
  },
  { name: 'explain-unschedulable', line: `explain mail/digest --period 2026-03-01T09:30:00Z ${SHOP}` },
  { name: 'explain-no-window', line: `explain old/import ${SHOP}` },
  {
    name: 'explain-identity',
    line: `explain report/weekly --identity /srv/other.kron:report/weekly ${SHOP}`,
  },
  { name: 'explain-no-such-job', line: `explain db/bakup ${SHOP}` },
  { name: 'explain-no-such-period', line: `explain db/backup --period 2026-03-01T01:00:01Z ${SHOP}` },
  { name: 'explain-bad-time', line: 'explain db/backup --file shop.kron --at yesterday' },
  json('explain', `explain db/backup --period 2026-03-07T01:00:00Z ${SHOP}`),
  {
    ...json('explain', `explain mail/digest --period 2026-03-01T09:30:00Z ${SHOP}`),
    name: 'explain-unschedulable-json',
  },
  {
    name: 'explain-host',
    line: `explain db/backup ${SHOP} --host web2.example.org --hosts fleet.txt --salt %m`,
  },
  { name: 'explain-no-machine', line: `explain db/backup ${SHOP} --host web2.example.org --salt %m` },
  {
    ...json('explain', `explain db/backup ${SHOP} --host web2.example.org --salt %H`),
    name: 'explain-host-json',
  },
  { name: 'host', line: 'host --host web1 --machine-id 0123456789abcdef0123456789abcdef' },
  json('host', 'host --host web1 --machine-id 0123456789abcdef0123456789abcdef'),
  { name: 'lint-fleet', line: `lint --file shop.kron --at ${AT} --hosts fleet.txt` },
  { name: 'next', line: `next ${SHOP} --count 6` },
  { name: 'next-host', line: `next ${SHOP} --count 3 --host web1.example.org --salt %H` },
  { name: 'next-of-one', line: `next db/backup ${SHOP} --count 4` },
  { name: 'next-of-one-utc', line: `next mail/digest ${SHOP} --count 3`, terminal: { unicode: false } },
  { name: 'next-suspended', line: `next old/import ${SHOP} --count 2` },
  { name: 'next-invalid-file', line: 'next --file mistakes.kron' },
  json('next', `next report/weekly ${SHOP} --count 2`),
  { ...json('next', `next ${SHOP} --count 3`), name: 'next-all-json' },
  { name: 'forecast', line: `forecast ${SHOP} --capacity 2` },
  { name: 'balance', line: `balance ${SHOP} --for 1d --bucket 15m --capacity 4` },
  json('balance', `balance ${SHOP} --for 1d --bucket 15m --capacity 4 --hosts fleet.txt`),
  { name: 'forecast-fleet', line: `forecast ${SHOP} --bucket 1h --hosts fleet.txt --salt %m` },
  {
    ...json('forecast', `forecast ${SHOP} --bucket 12h --hosts fleet.txt --salt %H`),
    name: 'forecast-fleet-json',
  },
  {
    name: 'forecast-ascii',
    line: `forecast ${SHOP} --for 3h --bucket 15m`,
    terminal: { unicode: false, width: 60 },
  },
  { name: 'forecast-week', line: `forecast ${SHOP} --for 168h --bucket 1h --capacity 6` },
  { name: 'forecast-too-fine', line: `forecast ${SHOP} --for 744h --bucket 1s` },
  json('forecast', `forecast ${SHOP} --for 2h --bucket 30m --capacity 2`),
  { name: 'list', line: `list ${SHOP}` },
  { name: 'list-with-state', line: `list ${SHOP} --state-dir state`, terminal: { width: 140 } },
  narrow('list', `list ${SHOP} --state-dir state`),
  narrow('next', `next ${SHOP} --count 6`),
  narrow('next-of-one', `next db/backup ${SHOP} --count 4`),
  narrow('history', `history db/backup ${STATE}`),
  narrow('status-all', 'status --all --state-dir state'),
  narrow('forecast', `forecast ${SHOP} --capacity 2`),
  narrow('explain', `explain db/backup ${SHOP}`),
  { name: 'list-names', line: 'list --names --file shop.kron' },
  json('list', `list ${SHOP} --state-dir state`),
  { name: 'history', line: `history db/backup ${STATE}` },
  { name: 'history-running', line: `history feed/sync ${STATE} --count 2` },
  { name: 'history-unknown', line: `history nothing ${STATE}` },
  json('history', `history feed/sync ${STATE}`),
  { name: 'status', line: 'status --state-dir state' },
  { name: 'status-all', line: 'status --all --state-dir state' },
  { name: 'status-no-state', line: 'status --state-dir nowhere' },
  json('status', 'status --state-dir state'),
  { name: 'verify-log', line: 'verify --log krond.log' },
  { name: 'verify-log-json-lines', line: 'verify --log krond.json.log' },
  { name: 'verify-state', line: `verify ${STATE}` },
  json('verify', 'verify --log krond.log'),
  { name: 'add', line: 'add --file shop.kron --to installed' },
  { name: 'add-again', line: 'add --file shop.kron --to installed' },
  { name: 'add-invalid', line: 'add --file mistakes.kron --to installed' },
  json('add', 'add --file shop.kron --to installed --replace'),
  { name: 'remove', line: 'remove logs/rotate --file installed/shop.kron' },
  { name: 'remove-again', line: 'remove logs/rotate --file installed/shop.kron' },
  json('remove', 'remove cache/warm --file installed/shop.kron'),
  { name: 'edit', line: 'edit ./installed/shop.kron', env: { EDITOR: "sed -i 's/^# The jobs/# All jobs/'" } },
  { name: 'edit-unchanged', line: 'edit ./installed/shop.kron', env: { VISUAL: 'true' } },
  { name: 'edit-failed', line: 'edit ./installed/shop.kron', env: { VISUAL: 'false' } },
  { ...json('edit', 'edit ./installed/shop.kron'), env: { VISUAL: 'true' } },
  { name: 'run-no-such-job', line: 'run nothing --file shop.kron' },
  ...['bash', 'zsh', 'fish'].map(shell => ({ name: `completion-${shell}`, line: `completion ${shell}` })),
]

const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false })

before(async () => {
  for (const name of readdirSync(schemas))
    ajv.addSchema(JSON.parse(readFileSync(join(schemas, name), 'utf8')))
  cpSync(join(golden, 'jobs'), here, { recursive: true })
  writeFileSync(join(here, 'mistakes.kron'), MISTAKEN_FILE)
  mkdirSync(join(here, 'installed'))
  const shop = parseJobFile(readFileSync(join(here, 'shop.kron'), 'utf8'), '/etc/krond.d/shop.kron').entries
  await writeStates(join(here, 'state'), statesOf(shop))
  writeFileSync(join(here, 'state', `${'0'.repeat(64)}.json`), 'not JSON')
  writeLogs(shop)
})

after(() => rmSync(here, { recursive: true }))

for (const { name, line, schema, ...parts } of CASES) {
  test(`krontab ${line} prints what is in golden/${name}.txt`, async () => {
    const { code, out, err } = await krontab(line.split(' '), { cwd: here, now: NOW, ...parts })
    const text = [
      `$ krontab ${line}\n${out}`,
      err === '' ? '' : `[stderr]\n${err}`,
      code === 0 ? '' : `[exit ${code}]\n`,
    ]
    compare(
      name,
      text
        .join('')
        .replaceAll(here, '<here>')
        .replace(/krontab-edit-\w+/g, 'krontab-edit-…')
        .replace(/\b(?:tzdata|ICU) \d{4}[a-z]\b/g, 'tzdata 2026c'),
    )
    if (schema === undefined) return
    const valid = ajv.validate(`${schema}.schema.json`, JSON.parse(out))
    assert.ok(valid, ajv.errorsText())
  })
}

test('no row wraps on a terminal of 80 columns', async () => {
  for (const { name, line, ...parts } of CASES.filter(each => each.name.endsWith('-narrow'))) {
    const { out } = await krontab(line.split(' '), { cwd: here, now: NOW, ...parts })
    const shown = out.replaceAll(here, '/etc/krond.d').split('\n')
    assert.deepEqual(
      shown.filter(each => each.startsWith(' ') && columns(each) > 80),
      [],
      name,
    )
  }
})

test('every golden file belongs to a case', () => {
  const names = readdirSync(golden).filter(name => name.endsWith('.txt'))
  assert.deepEqual(names.sort(), CASES.map(({ name }) => `${name}.txt`).sort())
})

test('the same words give the same bytes again', async () => {
  for (const line of [`explain db/backup ${SHOP}`, `next ${SHOP}`, `forecast ${SHOP} --format json`]) {
    const once = await krontab(line.split(' '), { cwd: here, now: 1 })
    const twice = await krontab(line.split(' '), { cwd: here, now: 2 })
    assert.equal(once.out, twice.out)
  }
})

function compare(name: string, text: string): void {
  const path = join(golden, `${name}.txt`)
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, text)
  assert.ok(existsSync(path), `${path} is missing: see golden/README.md`)
  assert.equal(text, readFileSync(path, 'utf8'))
}

function instant(text: string): number {
  const read = parseInstant(text)
  assert.ok(read.ok)
  return read.value
}

function statesOf(shop: readonly Entry[]) {
  const find = (name: string): Entry => shop.find(entry => entry.name === name)!
  const [backup, sync, digest] = [find('db/backup'), find('feed/sync'), find('mail/digest')]
  const start = seen('2026-02-27T00:00:00Z')
  return [
    {
      identity: backup.identity,
      filed: 4,
      events: [
        start,
        ...periodEvents(backup, instant('2026-02-27T01:00:00Z'), { exitCode: 0, after: 754 }),
        ...periodEvents(backup, instant('2026-02-28T01:00:00Z'), { exitCode: 3, after: 12 }),
        ...periodEvents(backup, instant('2026-03-01T01:00:00Z'), 'missed'),
        ...periodEvents(backup, instant('2026-03-02T01:00:00Z'), {
          exitCode: null,
          signal: 'SIGKILL',
          after: 5_400,
        }),
      ],
    },
    {
      identity: sync.identity,
      filed: 2,
      events: [
        start,
        ...periodEvents(sync, instant('2026-03-02T11:30:00Z'), { exitCode: 0, after: 3 }),
        ...periodEvents(sync, instant('2026-03-02T11:45:00Z'), 'running'),
        ...periodEvents(sync, instant('2026-03-02T12:00:00Z'), 'skipped'),
      ],
    },
    {
      identity: digest.identity,
      filed: 0,
      events: [start, ...periodEvents(digest, instant('2026-03-01T09:30:00Z'), 'unschedulable')],
    },
    { identity: '/etc/krond.d/gone.kron:gone', filed: 1, events: [start] },
  ]
}

/** Logs in both formats with two sound decisions, one that was tampered with and one that is incomplete. */
function writeLogs(shop: readonly Entry[]): void {
  const records = ['2026-03-01T01:00:00Z', '2026-03-02T01:00:00Z', '2026-03-03T01:00:00Z'].map(period =>
    recordOf(decide(shop[0]!, instant(period))),
  )
  const lines = records.map((record, i) => {
    const fields = Object.entries(record).map(([key, value]) => [
      key.replace(/[A-Z]/g, c => `_${c.toLowerCase()}`),
      value,
    ])
    const changed = i === 1 ? { chosen_time: record.windowEnd } : {}
    return {
      time: '2026-03-01T00:00:00.000000000Z',
      level: 'info',
      event: 'decision',
      ...Object.fromEntries(fields),
      ...changed,
    }
  })
  const other = {
    time: '2026-03-01T00:00:00.000000000Z',
    level: 'info',
    event: 'started',
    identity: 'decision',
  }
  const partial = { time: '2026-03-01T00:00:00.000000000Z', level: 'info', event: 'decision', identity: 'x' }
  const all: Record<string, unknown>[] = [...lines, other, partial]
  writeFileSync(join(here, 'krond.json.log'), all.map(line => `${JSON.stringify(line)}\n`).join(''))
  writeFileSync(join(here, 'krond.log'), all.map(line => `${textLine(line)}\n`).join(''))
}

function textLine({ time, ...fields }: Record<string, unknown>): string {
  const pairs = Object.entries(fields).map(([key, value]) => {
    const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
    return `${key}=${/[\s"=]/.test(text) ? JSON.stringify(text) : text}`
  })
  return `${String(time)} ${pairs.join(' ')}`
}
