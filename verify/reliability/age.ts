/** Which shipped code a campaign runs, and what of it has changed since the campaign was recorded. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build, transformSync } from 'esbuild'

const root = fileURLToPath(new URL('../../', import.meta.url))

const KROND = ['packages/krond/src/bin/krond.ts', 'packages/shim/src']

/** Where the code of a campaign begins, by its title: modules, which load others, and folders of C. */
export const BEGINNINGS: Readonly<Record<string, readonly string[]>> = {
  'Simulation of krond': ['packages/testkit/src/krond/simulation/krond-campaign.ts'],
  'Simulation of the scheduler': ['packages/testkit/src/scheduler/simulation/scheduler-campaign.ts'],
  'krond, serve, shims and commands killed': KROND,
  "The scheduler's processes killed, files and SQLite": ['packages/testkit/src/scheduler/restart/lives.ts'],
  "The scheduler's processes killed, PostgreSQL": ['verify/torture/scheduler-postgres.ts'],
  'Operators killed on a real control plane': ['packages/operator/src/bin/kron-operator.ts'],
  'Damaged files': ['verify/damage/in-process.ts', 'packages/shim/src'],
  'Wrong clocks': KROND,
  'Log readers': KROND,
  Fuzzing: readdirSync(`${root}verify/fuzz/targets`).map(name => `verify/fuzz/targets/${name}`),
  'Mutation check': ['packages/core/src/index.ts', 'packages/host/src/state/advance.ts'],
}

/** The shipped files of these beginnings, sorted. */
export async function shippedFiles(beginnings: readonly string[]): Promise<readonly string[]> {
  const folders = beginnings.filter(each => !each.endsWith('.ts'))
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: beginnings.filter(each => each.endsWith('.ts')),
    outdir: 'out',
    bundle: true,
    write: false,
    metafile: true,
    logLevel: 'error',
    platform: 'node',
    format: 'esm',
    conditions: ['kron-source'],
    plugins: [
      {
        name: 'other packages stay outside',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
            kind === 'entry-point' || path.startsWith('@kron/') ? undefined : { external: true },
          ),
      },
    ],
  })
  const files = [
    ...Object.keys(metafile.inputs),
    ...folders.flatMap(folder => readdirSync(root + folder).map(name => `${folder}/${name}`)),
  ]
  return files.filter(each => /^packages\/(?!testkit\/)[^/]+\/src\//.test(each)).sort()
}

/** Those of the files whose code, without comments and types, is not that of the commit at which each was tested. */
export const changedSince = (
  commitOf: (path: string) => string,
  files: readonly string[],
): readonly string[] =>
  files.filter(path => codeAt(commitOf(path), path) !== codeOf(path, readFileSync(root + path, 'utf8')))

function codeAt(commit: string, path: string): string | undefined {
  const text = git(root, 'show', `${named(commit)}:${path}`)
  return text === undefined ? undefined : codeOf(path, text) // the commit may have had no such file
}

/** The oldest of these commits. One that the history does not have counts as older than all others. */
export function oldestOf(commits: readonly string[], directory = root): string | undefined {
  const place = (commit: string): number => Number(git(directory, 'rev-list', '--count', named(commit)) ?? -1)
  return commits
    .map(commit => ({ commit, at: place(commit) }))
    .sort((a, b) => a.at - b.at)
    .at(0)?.commit
}

/** Without the `+` of uncommitted changes, which no history has. */
const named = (commit: string): string => commit.replace('+', '')

function git(cwd: string, ...words: string[]): string | undefined {
  try {
    return execFileSync('git', words, { cwd, encoding: 'utf8', stdio: 'pipe' })
  } catch {
    return undefined
  }
}

/** The code of a file alone: a comment or a type changes nothing that a campaign could find. */
export function codeOf(path: string, text: string): string {
  if (/\.[ch]$/.test(path)) return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\s+/g, ' ')
  if (path.endsWith('.ts')) return transformSync(text, { loader: 'ts', minifyWhitespace: true }).code
  return text
}
