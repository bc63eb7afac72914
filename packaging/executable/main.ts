/** The single executable: it is the program whose name it is called by, or that its first word names. */
import { Module } from 'node:module'
import { basename } from 'node:path'
import { getAsset, getAssetKeys } from 'node:sea'
import { embed } from '@kron/host'

/** Loaded only when called, so that the others cost nothing. */
const PROGRAMS: Readonly<Record<string, (words: readonly string[]) => Promise<number>>> = {
  krond: async words => (await import('../../packages/krond/src/main.ts')).main(words),
  krontab: async words => {
    const [{ main }, { processContext }] = await Promise.all([
      import('../../packages/krontab/src/main.ts'),
      import('../../packages/krontab/src/context/command-context.ts'),
    ])
    return main(words, processContext())
  },
  crontab: async words => {
    const [{ crontabProgram }, { processContext }] = await Promise.all([
      import('../../packages/krontab/src/crontab/program.ts'),
      import('../../packages/krontab/src/context/command-context.ts'),
    ])
    return crontabProgram(words, processContext())
  },
  // The client of a cluster is large: it is a text of its own.
  kronctl: words => (load('kronctl.cjs') as Kronctl).kronctlProgram(words),
}

type Kronctl = typeof import('../../packages/operator/src/kronctl/program.ts')

/** The exports of a CommonJS text that the executable carries. */
function load(key: string): unknown {
  const module = new Module(key) as Module & { _compile(text: string, path: string): void }
  module._compile(getAsset(key, 'utf8'), `/${key}`)
  return module.exports
}

const NAMES = Object.keys(PROGRAMS).join(', ')
const CONSOLE = 'console/'

embed({
  shim: () => Buffer.from(getAsset('shim')),
  console: () =>
    new Map(
      getAssetKeys()
        .filter(key => key.startsWith(CONSOLE))
        .map(key => [key.slice(CONSOLE.length), Buffer.from(getAsset(key))]),
    ),
})

const called = basename(process.argv0)
// Node puts the executable's own path before the words.
const words = process.argv.slice(2)
const program = Object.hasOwn(PROGRAMS, called) ? called : (words.shift() ?? '--help')
const run = Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program]! : help
// A daemon may leave children and sockets behind on purpose: nothing of them may keep the process alive.
run(words).then(code => process.exit(code))

async function help(): Promise<number> {
  const isHelp = ['--help', '-h', 'help'].includes(program)
  const text = `usage: kron PROGRAM [OPTION]...\n\nPrograms: ${NAMES}. Called by one of these names, through a link, it is that program.\n\nExamples:\n  kron krond start --config ./jobs --state-dir ./state\n  kron krontab next --file jobs.kron\n`
  process[isHelp ? 'stdout' : 'stderr'].write(
    isHelp ? text : `error: there is no program ${JSON.stringify(program)}\n  hint: programs are ${NAMES}\n`,
  )
  return isHelp ? 0 : 1
}
