import assert from 'node:assert/strict'
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { shimPath } from '@kron/shim'
import { closeAll, Place, Serve, until } from '../../packages/shim/test/driver.ts'

/** Kilobytes of memory that a run may keep while its command sleeps. */
const MOST_KB = 100

const residentKb = (pid: number): number =>
  Number(/^Rss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1])

/** How much memory a run has once it sleeps, beside a command that has printed this many bytes. */
async function atRest(printed: number): Promise<number> {
  const place = new Place()
  const serve = new Serve(place, { command: ([, ...words]) => [shimPath(), ...words] })
  await serve.ready()
  const run = serve.start({
    arg: ['sh', '-c', `head -c ${printed} /dev/zero | tr '\\0' x; echo; exec sleep 600`],
  })
  const { shim } = await run.started()
  await until('its output', () => run.log('out').text.endsWith('\n'))
  // Soon after the last output, the run gives back the memory into which it was read, and sleeps.
  let resident = residentKb(shim)
  for (let same = 0; same < 3; same++) {
    await setTimeout(100)
    const now = residentKb(shim)
    if (now !== resident) same = 0
    resident = now
  }
  run.end('stopped', 'now')
  await run.ended()
  await closeAll()
  place.remove()
  return resident
}

for (const [what, printed] of [
  ['a sleeping command', 5],
  ['a command that printed 256 KiB and sleeps', 262_144],
] as const) {
  test(`the shipped run keeps at most ${MOST_KB} kB resident beside ${what}`, async t => {
    // The kernel places the stack at random, so one run may need a page more than another.
    const found: number[] = []
    for (let round = 0; round < 8; round++) found.push(await atRest(printed))
    t.diagnostic(`resident: ${Math.min(...found)} to ${Math.max(...found)} kB`)
    assert.ok(found.every(each => each > 0 && each <= MOST_KB))
  })
}

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
