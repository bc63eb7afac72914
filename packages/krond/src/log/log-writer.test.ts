import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { LogWriter } from './log-writer.ts'

const printDropped = (lines: number): string => `dropped ${lines}\n`

function directory(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), 'kron-log-'))
  t.after(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** A pipe with a name, and a reader that waits for `go` before it copies everything to `out`. */
function stalledReader(t: TestContext) {
  const here = directory(t)
  spawnSync('mkfifo', [`${here}/pipe`])
  const script =
    'exec 3<"$1/pipe"; while ! [ -e "$1/go" ]; do sleep 0.02; done; cat <&3 >"$1/out"; touch "$1/done"'
  const reader = spawn('sh', ['-c', script, 'sh', here], { stdio: 'ignore' })
  t.after(() => reader.kill('SIGKILL'))
  const fd = openSync(`${here}/pipe`, 'w')
  const writer = new LogWriter(fd, printDropped)
  const read = async (): Promise<string> => {
    writeFileSync(`${here}/go`, '')
    await writer.drain(20_000)
    writer.close()
    closeSync(fd)
    await new Promise(resolve => reader.on('exit', resolve))
    return readFileSync(`${here}/out`, 'utf8')
  }
  return { writer, reader, read, fd }
}

test('a stalled reader blocks nobody: what does not fit is dropped, counted, and said when there is room', async t => {
  const { writer, read } = stalledReader(t)
  const line = `${'x'.repeat(999)}\n`
  const COUNT = 5_000
  for (let i = 0; i < COUNT; i++) writer.write(line)
  const text = await read()
  const [, dropped] = /dropped (\d+)\n$/.exec(text) ?? []
  const arrived = text.split(line).length - 1
  assert.equal(arrived + Number(dropped), COUNT)
  assert.ok(arrived > 500, 'a megabyte waits for the reader')
})

test('job output leaves room for the lines of the daemon', async t => {
  const { writer, read } = stalledReader(t)
  const line = `${'x'.repeat(999)}\n`
  for (let i = 0; i < 5_000; i++) writer.write(line, true)
  for (let i = 0; i < 300; i++) writer.write(`finished ${i}\n`)
  const text = await read()
  assert.equal(text.match(/^finished \d+$/gm)?.length, 300)
  assert.match(text, /dropped \d+\n/)
})

test('the descriptor that others share keeps its blocking mode', async t => {
  const { writer, read, fd } = stalledReader(t)
  writer.write('a\n')
  const flags = /^flags:\s+(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))![1]!
  assert.equal(Number.parseInt(flags, 8) & 0o4000, 0)
  assert.equal(await read(), 'a\n')
})

test('a reader that is gone costs nothing, and draining is over at once or in time', async t => {
  const { writer, reader } = stalledReader(t)
  writer.write('before\n')
  reader.kill('SIGKILL')
  await new Promise(resolve => reader.on('exit', resolve))
  for (let i = 0; i < 10_000; i++) writer.write(`${'y'.repeat(500)}\n`)
  await pause(50)
  await writer.drain(1)
  writer.close()
})

test('lines to a file arrive in order after what is there', async t => {
  const path = join(directory(t), 'log')
  writeFileSync(path, 'old\n')
  const fd = openSync(path, 'a')
  const writer = new LogWriter(fd, printDropped)
  for (let i = 0; i < 100; i++) writer.write(`${i}\n`)
  await writer.drain(1_000)
  writer.close()
  closeSync(fd)
  assert.equal(readFileSync(path, 'utf8'), `old\n${Array.from({ length: 100 }, (_, i) => `${i}\n`).join('')}`)
})
