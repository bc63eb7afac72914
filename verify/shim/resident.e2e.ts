import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
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
