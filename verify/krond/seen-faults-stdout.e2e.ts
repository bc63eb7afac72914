/**
 * Seen on real hosts: one `krond status` made commands of jobs fail. Node makes its standard output non-blocking while it
 * runs. If `status` shares that output with the daemon, and the daemon with its jobs, then a command that prints faster
 * than the output is read fails with EAGAIN.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, constants, existsSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { shimPath } from '@kron/host'
import { ownNodeOf } from '../own-node.ts'
import { bundleOf } from './node-20.ts'
import { directoryOf, seen } from './seen.ts'

const node20 = ownNodeOf(20)
const READ_BYTES = 4_096
/** `status` is asked until both commands have failed, but at most so often. */
const MOST_QUESTIONS = 8
/** EAGAIN, or tar's message for a write that a full pipe took in part; a blocking write takes everything. */
const NON_BLOCKING = /Resource temporarily unavailable|Wrote only \d+ of \d+ bytes/
const PATIENCE_MS = 90_000

const exitOf = (child: ChildProcess): Promise<number | null> =>
  new Promise(resolve => {
    child.on('exit', code => resolve(code))
  })

async function until(isTrue: () => boolean, what: () => string): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  while (!isTrue()) {
    assert.ok(Date.now() < end, `waited in vain for ${what()}`)
    await pause(50)
  }
}

/** Reads a pipe so slowly that it is always full, and keeps nothing of it. */
function readSlowly(fd: number): NodeJS.Timeout {
  const buffer = Buffer.alloc(READ_BYTES)
  return setInterval(() => {
    try {
      readSync(fd, buffer)
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'EAGAIN')
    }
  }, 1)
}

/** A job that prints until a file is there or its command fails, and writes down how the command failed. */
function printing(directory: string, name: string, command: string): string {
  const file = `${directory}/${name}`
  const fails = `{ echo failed >> ${file}.problem; break; }`
  const loop = `until [ -e ${directory}/enough ]; do ${command} 2>> ${file}.problem || ${fails}; done`
  return `* * * * * @policy(deadline=50s,concurrency=forbid) name=${name} shell=true command="echo >> ${file}.began; ${loop}; echo >> ${file}.ended"`
}

seen(
  'one krond status on Node 20 makes no command of a job fail with EAGAIN',
  async (t, { sources, options }) => {
    const directory = directoryOf(t)
    const krond = await bundleOf(sources)
    writeFileSync(`${directory}/big`, Buffer.alloc(300_000))
    writeFileSync(
      `${directory}/all.kron`,
      `${[
        printing(directory, 'seq', 'seq 1 50000'),
        printing(directory, 'tar', `tar -C ${directory} -cf - big`),
      ].join('\n')}\n`,
      { mode: 0o644 },
    )
    assert.equal(spawnSync('mkfifo', [`${directory}/output`]).status, 0)
    const reader = openSync(`${directory}/output`, constants.O_RDONLY | constants.O_NONBLOCK)
    const output = openSync(`${directory}/output`, 'w')
    const reading = readSlowly(reader)
    t.after(() => clearInterval(reading))
    const read = (name: string): string => readFileSync(`${directory}/${name}`, 'utf8')
    const log = openSync(`${directory}/log`, 'a')
    const env = { ...process.env, LC_ALL: 'C', KRON_SHIM: shimPath() }
    const places = [
      ...['--state-dir', `${directory}/state`],
      ...(options.earlier === undefined ? ['--runtime-dir', `${directory}/run`] : []),
    ]
    const run = (...words: readonly string[]): ChildProcess =>
      spawn(node20!, [krond, ...words, ...places], { env, stdio: ['ignore', output, log] })
    const daemon = run('start', '--config', `${directory}/all.kron`, '--pid-file', `${directory}/pid`)
    const isOver = exitOf(daemon)
    t.after(() => daemon.kill('SIGKILL'))

    const jobs = ['seq', 'tar']
    const all = (ending: string): boolean => jobs.every(job => existsSync(`${directory}/${job}.${ending}`))
    await until(
      () => all('began'),
      () => `both jobs to begin\n${read('log')}`,
    )
    assert.equal(daemon.exitCode, null, read('log'))
    let questions = 0
    while (questions < MOST_QUESTIONS && !all('ended')) {
      questions++
      assert.equal(await exitOf(run('status')), 0)
      await pause(300)
    }
    writeFileSync(`${directory}/enough`, '')
    await until(
      () => all('ended'),
      () => `both jobs to end\n${read('log')}`,
    )
    daemon.kill('SIGTERM')
    assert.equal(await isOver, 0)
    clearInterval(reading)
    closeSync(output)
    closeSync(reader)
    closeSync(log)
    t.diagnostic(`${options.earlier === undefined ? 'now' : 'before'}: status was asked ${questions} times`)
    return jobs.map(job => {
      const problem = read(`${job}.problem`)
      if (problem === '') return `${job} prints everything`
      return NON_BLOCKING.test(problem) ? `${job} fails` : problem
    })
  },
  {
    before: ['seq fails', 'tar fails'],
    now: ['seq prints everything', 'tar prints everything'],
  },
  node20 === undefined ? 'there is no Node 20 on the path besides the pinned Node' : undefined,
)
