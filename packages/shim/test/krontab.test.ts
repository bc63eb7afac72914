import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import type { Duplex } from 'node:stream'
import { test } from 'node:test'
import { alive, binary, type Spec, specFields, until } from './driver.ts'
import { endOf } from './records.ts'

/** `kron-shim run` as krontab starts it. */
class Alone {
  readonly process: ChildProcess
  readonly messages: string[][] = []
  out = ''
  err = ''
  readonly exited: Promise<number | null>
  #bytes = Buffer.alloc(0)

  constructor(spec: Spec) {
    this.process = spawn(binary, ['run', 'test'], {
      stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'ignore', 'pipe'],
    })
    const fields = specFields({ execution: 'x', job: 'test', end: 'caller', ...spec })
    const input = this.process.stdio[3] as Duplex
    input.end(Buffer.concat(fields.map(field => Buffer.from(`${field}\0`))))
    this.process.stdout!.on('data', data => {
      this.out += data
    })
    this.process.stderr!.on('data', data => {
      this.err += data
    })
    const status = (this.process.stdio as unknown as Duplex[])[5]!
    status.on('data', data => this.#receive(data))
    this.exited = new Promise(resolve => this.process.on('exit', resolve))
  }

  #receive(data: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, data])
    while (this.#bytes.length >= 4 && this.#bytes.length >= 4 + this.#bytes.readUInt32LE(0)) {
      const length = this.#bytes.readUInt32LE(0)
      assert.equal(this.#bytes.readUInt32LE(4), 0)
      this.messages.push(
        this.#bytes
          .subarray(8, 4 + length)
          .toString()
          .split('\0')
          .slice(0, -1),
      )
      this.#bytes = this.#bytes.subarray(4 + length)
    }
  }

  message(kind: string): Promise<string[]> {
    return until(`${kind}, have ${this.messages}`, () => this.messages.find(message => message[0] === kind))
  }
}

test('the command has the stdout and stderr of the caller, and no claim', async () => {
  const run = new Alone({
    arg: ['sh', '-c', 'echo out; echo err >&2; cat; ls /proc/self/fd | wc -l; exit 8'],
  })
  assert.equal((await run.message('started')).length, 6)
  const end = endOf((await run.message('ended')).slice(1))
  assert.equal(await run.exited, 0)
  assert.deepEqual([end.exit, end.why, end.dropped, end.undelivered], [8, 'exited', 0, 0])
  await until('its output', () => run.out.includes('4\n'))
  assert.equal(run.out, 'out\n4\n')
  assert.equal(run.err, 'err\n')
})

test('a refusal is told', async () => {
  const run = new Alone({ arg: '/no/such' })
  assert.deepEqual(await run.message('refused'), ['refused', 'exec', '2', '/no/such'])
})

test('a spec without end=caller is refused', async () => {
  const run = new Alone({ arg: 'true', end: 'shim' })
  assert.deepEqual((await run.message('refused')).slice(0, 2), ['refused', 'spec'])
})

for (const [signal, expected] of [
  ['SIGINT', 'int'],
  ['SIGQUIT', 'quit'],
  ['SIGTERM', 'term'],
  ['SIGHUP', 'hup'],
] as [NodeJS.Signals, string][])
  test(`${signal} goes to the command`, async () => {
    const traps =
      'trap "echo int; exit 1" INT; trap "echo quit; exit 1" QUIT; trap "echo term; exit 1" TERM; trap "echo hup; exit 1" HUP'
    const run = new Alone({ arg: ['sh', '-c', `${traps}; echo ready; while :; do sleep 0.05; done`] })
    await until('the traps', () => run.out.includes('ready'))
    run.process.kill(signal)
    const end = endOf((await run.message('ended')).slice(1))
    assert.equal(end.exit, 1)
    await until('its last word', () => run.out.includes(`${expected}\n`))
  })

test('SIGTERM ends the tree after the grace', async () => {
  const run = new Alone({
    arg: ['sh', '-c', 'trap "" TERM; echo ready; while :; do sleep 0.05; done'],
    grace: 200,
  })
  await until('ready', () => run.out.includes('ready'))
  run.process.kill('SIGTERM')
  const end = endOf((await run.message('ended')).slice(1))
  assert.deepEqual([end.signal, end.why], [9, 'requested'])
})

test('the run ends with its caller', async () => {
  // The caller in between is killed; the run must notice.
  const script = `
    const { spawn } = require('node:child_process')
    const run = spawn(process.argv[1], ['run', 'test'], { stdio: ['ignore', 'inherit', 'inherit', 'pipe', 'ignore', 'pipe'] })
    run.stdio[3].end(process.argv[2].split('|').join('\\0') + '\\0')
    run.stdio[5].on('data', data => { process.stdout.write('run ' + run.pid + '\\n') })
    setTimeout(() => {}, 600000)`
  const fields = specFields({
    execution: 'x',
    job: 'test',
    end: 'caller',
    arg: ['sleep', '600'],
    grace: 200,
  }).join('|')
  const caller = spawn(process.execPath, ['-e', script, binary, fields], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  caller.stdout.on('data', data => {
    text += data
  })
  const pid = Number((await until('the PID of the run', () => /run (\d+)\n/.exec(text)))[1])
  caller.kill('SIGKILL')
  await until('the run to end', () => !alive(pid))
})
