/** The single executable: it is the program whose name it is called by, or that its first word names. */
import { basename } from 'node:path'
import { getAssetKeys, getRawAsset } from 'node:sea'
import { DirectOutput, packageVersion, versionText } from '@kron/cli'
import { hostZones } from '@kron/host'
import type { ProgramText } from './programs/program.ts'
import { compileText } from './text.ts'

/** By the name of a program, the text that holds it. Only the one that is called is loaded. */
const TEXTS: Readonly<Record<string, string>> = {
  krond: 'krond',
  krontab: 'krontab',
  crontab: 'krontab',
  kronctl: 'kronctl',
}

const NAMES = Object.keys(TEXTS).join(', ')

const asset = (key: string): Buffer => Buffer.from(getRawAsset(key))

function load(name: string): ProgramText {
  const code = `${name}.code`
  const hasCode = getAssetKeys().includes(code)
  // Texts are ASCII.
  const text = asset(`${name}.cjs`).toString('latin1')
  return compileText(name, text, hasCode ? asset(code) : undefined).load() as ProgramText
}

const called = basename(process.argv0)
// Node puts the executable's own path before the words.
const words = process.argv.slice(2)
const program = Object.hasOwn(TEXTS, called) ? called : (words.shift() ?? '--help')
// If the output cannot be written, krontab ends with 2 and every other program with 1.
const output = new DirectOutput(program === 'krontab' ? 2 : 1)
// A daemon may leave children and sockets behind on purpose: nothing of them may keep the process alive.
run().then(code => process.exit(code))

async function run(): Promise<number> {
  if (!Object.hasOwn(TEXTS, program)) return help()
  // The commonest question of scripts is answered without a program; kronctl tells of other zones.
  if (words.length === 1 && words[0] === '--version' && program !== 'kronctl') {
    output.out(`${versionText(program, packageVersion(''), hostZones().source())}\n`)
    return 0
  }
  return load(TEXTS[program]!).programs[program]!(words)
}

function help(): number {
  const isHelp = ['--help', '-h', 'help'].includes(program)
  const text = `usage: kron PROGRAM [OPTION]...\n\nPrograms: ${NAMES}. Called by one of these names, through a link, it is that program.\n\nExamples:\n  kron krond start --config ./jobs --state-dir ./state\n  kron krontab next --file jobs.kron\n`
  if (isHelp) output.out(text)
  else output.error(`error: there is no program ${JSON.stringify(program)}\n  hint: programs are ${NAMES}\n`)
  return isHelp ? 0 : 1
}
