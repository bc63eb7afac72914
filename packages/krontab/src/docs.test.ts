import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseCommandLine } from '@kron/cli'
import { FIELDS, parseJobFile } from '@kron/host'
import { referencePage } from '@kron/testkit/cli/reference-page'
import { WARNING_RULES } from './lint/finding.ts'
import { warningsOf } from './lint/warnings.ts'
import { KRONTAB } from './program/program.ts'

const docs = (path: string): string => fileURLToPath(new URL(`../../../docs/${path}`, import.meta.url))
const guide = readFileSync(docs('guides/job-files.md'), 'utf8')
const blocks = (page: string, language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(match => match[1]!)

test('the reference of the command line is made of its help texts', () => {
  const page = referencePage(KRONTAB)
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(docs('reference/krontab.md'), page)
  assert.equal(readFileSync(docs('reference/krontab.md'), 'utf8'), page, 'run with UPDATE_GOLDEN=1')
})

test('every job in the guide is valid and gets no warning', () => {
  const jobs = blocks(guide, 'kron')
  assert.ok(jobs.length >= 3)
  for (const block of jobs) {
    const { entries, faults } = parseJobFile(block, '/etc/krond.d/guide.kron')
    assert.deepEqual(faults, [])
    assert.ok(entries.length > 0)
    assert.deepEqual(warningsOf(entries, block, 1_772_323_200), [])
  }
})

test('every command line in the guide and in the help texts is one that krontab takes', () => {
  const lines = [
    ...blocks(guide, 'sh').flatMap(block => block.trim().split('\n')),
    ...KRONTAB.commands!.flatMap(command => (command.examples ?? []).map(({ line }) => line)),
  ]
  assert.ok(lines.length > 15)
  for (const line of lines) {
    const [words = []] = line
      .split(/ [|>] /)
      .map(part => part.split(' '))
      .filter(([program]) => program === 'krontab')
    assert.equal(parseCommandLine(KRONTAB, words.slice(1)).kind, 'run', line)
  }
})

test('the guide names every field and every warning', () => {
  for (const word of [...Object.keys(FIELDS), ...WARNING_RULES])
    assert.ok(guide.includes(`\`${word}\``), word)
})

test('the schema of lint names every warning', () => {
  const schema = JSON.parse(readFileSync(docs('json/lint.schema.json'), 'utf8'))
  const { rule } = schema.$defs.report.properties.warnings.items.properties
  assert.deepEqual(rule.enum, WARNING_RULES)
})

test('the JSON page names every schema', () => {
  const page = readFileSync(docs('reference/krontab-json.md'), 'utf8')
  for (const name of readdirSync(docs('json'))) assert.ok(page.includes(`(../json/${name})`), name)
})
