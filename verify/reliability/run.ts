/**
 * Writes the figures of `verify/reliability/*.json` into docs/reliability.md, docs/reliability/figures.md and
 * docs/reliability/archive.md, and draws the pictures: `npm run verify -- reliability`.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { commandLine } from '../command-line.ts'
import { BEGINNINGS, changedSince, oldestOf, shippedFiles } from './age.ts'
import { ARCHIVE } from './archive.ts'
import { CAMPAIGNS, type Json } from './campaigns.ts'
import { count, section, table } from './figures.ts'
import { effortPicture, realityPicture } from './pictures.ts'

const docs = new URL('../../docs/', import.meta.url)
const BEGIN = '<!-- figures: written by verify/reliability -->'
const END = '<!-- end of figures -->'

type Read = (name: string) => Json | undefined

/** The title of each record on the page of all figures. */
export const RECORDS = [
  ['simulation', 'Simulation'],
  ['torture', 'Real processes, disks and databases'],
  ['damage', 'Damaged files'],
  ['clock', 'Wrong clocks'],
  ['log-reader', 'Log readers'],
  ['fuzz', 'Fuzzing'],
  ['mutation', 'Mutation check'],
] as const

/** The pages with figures, by their paths in docs, and the text of their marked part. */
export const PAGES: Readonly<Record<string, (read: Read) => string>> = {
  'reliability.md': summary,
  'reliability/figures.md': read =>
    RECORDS.map(([name, title]) => `## ${title}\n\n${section(name, read(name))}`).join('\n\n'),
  'reliability/archive.md': read =>
    ARCHIVE.map(([name, title]) => `## ${title}\n\n${section(name, read(`archive/${name}`))}`).join('\n\n'),
}

/** The pictures, by their paths in docs. */
export const PICTURES: Readonly<Record<string, (read: Read) => string>> = {
  'images/reliability-effort.svg': effortPicture,
  'images/reliability-reality.svg': realityPicture,
}

export function readRecord(name: string): Json | undefined {
  const path = fileURLToPath(new URL(`${name}.json`, import.meta.url))
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Json) : undefined
}

/** The page with this text as its marked part. */
export function filled(page: string, text: string): string {
  const [before, after] = [page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)]
  return `${page.slice(0, before)}\n\n${text}\n\n${page.slice(after)}`
}

/** One line for each campaign: how hard it tried, the goal, and how often a promise was broken. */
function summary(read: Read): string {
  const rows = CAMPAIGNS.map(({ title, record, findings }) => {
    const figures = read(record)
    const found = figures === undefined ? undefined : findings(figures)
    if (found === undefined) return [title, 'no run recorded yet', '', '', '']
    const { efforts, broken, commits } = found
    const wanted = efforts.flatMap(each => (each.wanted === undefined ? [] : [count(each.wanted)]))
    const tried = efforts.map(each => `${count(each.count)} ${each.unit}`)
    return [
      title,
      tried.join(', '),
      wanted.join(', '),
      `${count(broken)}${record === 'mutation' ? ' unnoticed' : ''}`,
      commits.join(', '),
    ]
  })
  return table(['campaign', 'tried', 'wanted', 'promises broken', 'commits'], rows)
}

/** A campaign writes these itself. */
const WRITTEN = [
  'verify/reliability/*.json*',
  'verify/fuzz/corpus',
  ...[...Object.keys(PAGES), ...Object.keys(PICTURES)].map(path => `docs/${path}`),
]

/** The commit of a record; `+` marks uncommitted changes. */
export function currentCommit(): string {
  const git = (...words: string[]): string => execFileSync('git', words, { encoding: 'utf8' }).trim()
  const others = WRITTEN.map(path => `:(top,exclude)${path}`)
  const isChanged = git('status', '--porcelain', '--', ':(top)', ...others) !== ''
  return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? '+' : ''}`
}

export const readFileOfDocs = (path: string): string => readFileSync(new URL(path, docs), 'utf8')

export function writePages(): void {
  for (const [path, text] of Object.entries(PAGES))
    writeFileSync(new URL(path, docs), filled(readFileOfDocs(path), text(readRecord)))
  for (const [path, draw] of Object.entries(PICTURES)) writeFileSync(new URL(path, docs), draw(readRecord))
}

/** Says for each campaign which shipped code has changed since its oldest run, or since each file was tested. */
async function tellAge(): Promise<void> {
  for (const { title, record, findings } of CAMPAIGNS) {
    const figures = readRecord(record)
    const { commits = [], commitOf } = (figures === undefined ? undefined : findings(figures)) ?? {}
    const oldest = oldestOf(commits)
    if (oldest === undefined) continue
    const files = await shippedFiles(BEGINNINGS[title]!)
    const changed = changedSince(path => commitOf?.[path] ?? oldest, files)
    const since = commitOf === undefined ? oldest : 'their last checks'
    console.log(`${title}: ${changed.length} of ${files.length} files have changed since ${since}`)
    for (const path of changed)
      console.log(
        commitOf === undefined ? `  ${path}` : `  ${path} (${commitOf[path] ?? 'not checked itself'})`,
      )
  }
}

const USAGE = `usage: npm run verify -- reliability [options]
  --age    list the shipped files that each campaign runs and whose code has changed since its oldest recorded run
           (of the mutation check, since the file was last checked; comments and types do not count); writes nothing

  npm run verify -- reliability          write the recorded figures into docs/reliability.md and its pages and pictures
  npm run verify -- reliability --age    see which campaigns to repeat
`

if (import.meta.main) {
  const { values } = commandLine(USAGE, { age: { type: 'boolean' } })
  if (values.age) await tellAge()
  else writePages()
}
