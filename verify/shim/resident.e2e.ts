import assert from 'node:assert/strict'
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { test } from 'node:test'
import { shimPath } from '@kron/shim'
import { closeAll, Place, Serve, until } from '../../packages/shim/test/driver.ts'

/** Kilobytes of memory that a run may keep while its command sleeps. */
const MOST_KB = 100

const residentKb = (pid: number): number =>
  Number(/^Rss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1])

test('the shipped run keeps at most 100 kB resident beside a sleeping command', async t => {
  const place = new Place()
  const serve = new Serve(place, { command: ([, ...words]) => [shimPath(), ...words] })
  await serve.ready()
  const run = serve.start({ arg: ['sh', '-c', 'echo begun; exec sleep 600'] })
  const { shim } = await run.started()
  await until('its output', () => run.log('out').text === 'begun\n')
  const resident = residentKb(shim)
  t.diagnostic(`run: ${resident} kB resident; serve: ${residentKb(serve.process.pid!)} kB`)
  assert.ok(resident > 0 && resident <= MOST_KB)
  run.end('stopped', 'now')
  await run.ended()
  await closeAll()
  place.remove()
})

/** True if the memory of a process holds the text. */
function remembers(pid: number, text: string): boolean {
  const memory = openSync(`/proc/${pid}/mem`, 'r')
  try {
    return readFileSync(`/proc/${pid}/maps`, 'utf8')
      .split('\n')
      .filter(line => / rw/.test(line))
      .some(line => {
        const [from, to] = line
          .split(' ')[0]!
          .split('-')
          .map(each => Number.parseInt(each, 16))
        const bytes = Buffer.alloc(to! - from!)
        readSync(memory, bytes, 0, bytes.length, from!)
        return bytes.includes(text)
      })
  } finally {
    closeSync(memory)
  }
}

test('a run has no copy of what serve holds for other jobs', async () => {
  const place = new Place()
  const serve = new Serve(place, { command: ([, ...words]) => [shimPath(), ...words] })
  await serve.ready()
  const first = serve.start({
    arg: ['sh', '-c', 'echo printed-secret; exec sleep 600'],
    env: 'KEY=given-secret',
  })
  await first.started()
  await until('its output', () => first.log('out').text === 'printed-secret\n')
  const second = serve.start({ arg: ['sleep', '600'] })
  const { shim } = await second.started()
  assert.ok(remembers(serve.process.pid!, 'given-secret'), 'serve itself holds it, so the search finds it')
  assert.ok(remembers(serve.process.pid!, 'printed-secret'))
  assert.deepEqual(
    ['given-secret', 'printed-secret'].filter(text => remembers(shim, text)),
    [],
  )
  for (const run of [first, second]) run.end('stopped', 'now')
  await Promise.all([first.ended(), second.ended()])
  await closeAll()
  place.remove()
})
