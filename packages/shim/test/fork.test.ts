import assert from 'node:assert/strict'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { after, afterEach, before, test } from 'node:test'
import { closeAll, Place, Serve } from './driver.ts'

let place: Place
before(() => {
  place = new Place()
})
afterEach(closeAll)
after(() => place.remove())

/** Field 22 of /proc/PID/stat. */
const startOf = (pid: number): bigint => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return BigInt(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]!)
}

const wordsOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0').filter(Boolean)

const openIn = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/fd`).map(fd => readlinkSync(`/proc/${pid}/fd/${fd}`))

test('a run has none of serve’s descriptors, arguments and variables', {
  skip: process.getuid!() !== 0 && 'needs root',
}, async () => {
  const serve = new Serve(place, { control: true, env: { NOTIFY_SOCKET: '/nowhere' } })
  await serve.ready()
  const other = serve.start({ arg: ['sleep', '600'] })
  await other.started()
  const run = serve.start({ arg: ['sleep', '600'], job: 'nightly' })
  const { shim } = await run.started()

  assert.deepEqual(wordsOf(shim).slice(0, 3), ['kron-shim', 'run', 'nightly'])
  assert.ok(wordsOf(serve.process.pid!).includes('serve'))
  assert.equal(readFileSync(`/proc/${shim}/environ`, 'latin1').replaceAll('\0', ''), '')
  const open = openIn(shim)
  const kinds = open.map(link => link.replace(/:.*/, '').replace('anon_inode', 'signals'))
  const claim = `${place.claims}/.new (deleted)` // it was made under this name
  assert.deepEqual(
    kinds.sort(),
    [
      '/dev/null',
      '/dev/null',
      '/dev/null',
      claim,
      place.claims,
      place.runs,
      'pipe',
      'pipe',
      'pipe',
      'pipe',
      'signals',
    ].sort(),
    'three times nothing, its claim, two directories, status, output, two of the command, signals',
  )
  assert.ok(open.includes('anon_inode:[signalfd]'))
  for (const each of [other, run]) each.end('stopped', 'now')
  await Promise.all([other.ended(), run.ended()])
})

test('a job name that is longer than serve’s arguments is cut in ps, and nowhere else', async () => {
  const serve = new Serve(place)
  await serve.ready()
  const job = 'j'.repeat(255)
  const run = serve.start({ arg: ['sleep', '600'], job })
  const { shim } = await run.started()
  const room = wordsOf(serve.process.pid!).join(' ').length
  const [program, mode, name] = wordsOf(shim)
  assert.deepEqual([program, mode], ['kron-shim', 'run'])
  assert.ok(job.startsWith(name!))
  assert.ok(readFileSync(`/proc/${shim}/cmdline`).length <= room + 1)
  run.end('stopped', 'now')
  await run.ended()
})

test('the start times of runs and commands are those of /proc', async () => {
  const serve = new Serve(place)
  await serve.ready()
  for (let i = 0; i < 40; i++) {
    const run = serve.start({ arg: ['sleep', '600'] })
    const { pid, start, shim, shimStart } = await run.started()
    assert.deepEqual([start, shimStart], [startOf(pid), startOf(shim)])
    run.end('stopped', 'now')
    await run.ended()
  }
})
