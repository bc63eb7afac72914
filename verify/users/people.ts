import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SOURCE = join(import.meta.dirname, '../..')
const NODE = [process.execPath, '--no-warnings', '--conditions=kron-source']

export interface Person {
  readonly name: string
  readonly uid: number
  readonly home: string
}

/** Account files with these people in them, seen only in this mount namespace. */
export function makePeople(work: string, names: readonly string[]): Person[] {
  const people = names.map((name, i) => ({ name, uid: 54_001 + i, home: join(work, 'home', name) }))
  for (const file of ['passwd', 'group', 'shadow']) copyFileSync(`/etc/${file}`, join(work, file))
  const add = (file: string, line: string): void =>
    writeFileSync(join(work, file), `${readFileSync(join(work, file), 'utf8')}${line}\n`)
  for (const { name, uid, home } of people) {
    add('passwd', `${name}:x:${uid}:${uid}::${home}:/bin/sh`)
    add('group', `${name}:x:${uid}:`)
    add('shadow', `${name}:*:19000:0:99999:7:::`)
    mkdirSync(home, { recursive: true })
    chmodSync(home, 0o755)
    chownSync(home, uid, uid)
  }
  add('group', `friends:x:54100:${names[0]}`)
  for (const file of ['passwd', 'group', 'shadow'])
    execFileSync('mount', ['--bind', join(work, file), `/etc/${file}`])
  return people
}

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const program = (name: 'krontab' | 'crontab'): string =>
  join(SOURCE, name === 'krontab' ? 'packages/krontab/src/bin/krontab.ts' : 'verify/users/crontab.ts')

/** Runs a program of Kron as a person; undefined: as root. */
export function runAs(
  person: Person | undefined,
  [name, ...words]: readonly ['krontab' | 'crontab', ...string[]],
  { input = '', env = {} }: { readonly input?: string; readonly env?: Record<string, string> } = {},
): Ran {
  const [node, ...flags] = NODE
  const { status, stdout, stderr } = spawnSync(node!, [...flags, program(name), ...words], {
    encoding: 'utf8',
    input,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', HOME: person?.home ?? '/root', TZ: 'UTC', ...env },
    ...(person === undefined ? {} : { uid: person.uid, gid: person.uid }),
  })
  return { code: status, out: stdout, err: stderr }
}

/** Sends a request straight to the control socket as a person, without what krontab would check or ask before. */
export function askAs({ uid }: Person, request: object): { readonly status?: number; readonly text: string } {
  const script = `
    const socket = require('node:net').createConnection('/run/krond/control.sock')
    socket.on('connect', () => socket.write(process.argv[1] + '\\n'))
    socket.pipe(process.stdout)`
  const text = execFileSync(process.execPath, ['-e', script, JSON.stringify(request)], {
    encoding: 'utf8',
    ...{ uid, gid: uid, cwd: '/', env: {} },
  })
  return { ...(JSON.parse(text) as { status?: number }), text }
}

/** Runs a shell script as a person. */
export const shellAs = (person: Person, script: string): void => {
  execFileSync('sh', ['-ec', script], {
    uid: person.uid,
    gid: person.uid,
    cwd: person.home,
    env: { PATH: '/usr/bin:/bin', HOME: person.home },
  })
}

/** The system's krond, as root. */
export function startKrond(
  work: string,
  words: readonly string[],
): { child: ChildProcess; log: () => string } {
  const [node, ...flags] = NODE
  let log = ''
  const child = spawn(
    node!,
    [
      ...[...flags, join(SOURCE, 'packages/krond/src/bin/krond.ts'), 'start', '--state-dir', `${work}/state`],
      ...['--runtime-dir', '/run/krond', '--pid-file', `${work}/pid`, '--log-format', 'text', ...words],
    ],
    { cwd: '/', env: { PATH: '/usr/bin:/bin', TZ: 'UTC' }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (text: Buffer) => (log += text))
  return { child, log: () => log }
}

/** Waits until the condition holds. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const end = Date.now() + 90_000
  while (!holds()) {
    if (Date.now() > end) throw new Error(`never happened: ${what}`)
    await new Promise(resolve => setTimeout(resolve, 250))
  }
}
