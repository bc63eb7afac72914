/** 1,000 children that print 1 GB in total: memory, outputs and starts, also with kill -9 in the middle. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { readKeptOutput } from '@kron/host'
import { Krond } from '@kron/testkit/krond/blackbox/krond'

const CHILDREN = Number(process.env['KRON_E2E_CHILDREN'] ?? 1_000)
/** About a megabyte of numbered lines. */
const FLOOD = 'seq 1 159999'
const KEPT = 65_536

const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_024

interface Burst {
  readonly krond: Krond
  /** Resident memory of the daemon in megabytes: before the burst and at most during it. */
  readonly before: number
  readonly most: number
  readonly latestMs: number
}

/** All children are due at noon; `during` is called while they run. */
async function burst(
  t: TestContext,
  script: string,
  during: (krond: Krond) => Promise<void> = async () => {},
): Promise<Burst> {
  const krond = new Krond(t, { at: Date.parse('2026-03-01T11:30:00Z') })
  const NOON = '0 12 * * * @policy(deadline=1h)'
  krond.write(Array.from({ length: CHILDREN }, (_, i) => krond.job(NOON, `j-${i}`, script)))
  await krond.start()
  krond.step(Date.parse('2026-03-01T11:59:55Z') - krond.now())
  for (let reloads = 0; krond.events('clock_jump').length === 0; reloads++) {
    krond.signal('SIGHUP')
    await krond.eventually(() => krond.events('reload').length > reloads, 'the reload')
  }
  const before = residentMegabytes(krond.pid)
  let most = before
  await during(krond)
  await krond.eventually(() => {
    most = Math.max(most, residentMegabytes(krond.pid))
    return outputsOf(krond).length >= CHILDREN && krond.status().running.length === 0
  }, `${CHILDREN} ends`)
  const late = krond.events('started').map(line => Number(line['lateness_ms']))
  return { krond, before, most, latestMs: Math.max(...late) }
}

/** The files with kept output: krond's log may have lost lines when it was killed. */
const outputsOf = (krond: Krond): readonly string[] =>
  readdirSync(`${krond.stateDir}/runs`).filter(name => name.endsWith('.output'))

/** Every output is the beginning and the end of the text, with the number of bytes between them, within its bound. */
function checkOutputs(krond: Krond): number {
  const text = execFileSync('sh', ['-c', FLOOD])
  const runs = outputsOf(krond)
  assert.equal(runs.length, CHILDREN)
  let largest = 0
  for (const run of runs) {
    const path = `${krond.stateDir}/runs/${run}`
    largest = Math.max(largest, statSync(path).size)
    const { pieces } = readKeptOutput(path)!
    let position = 0
    let kept = 0
    for (const piece of pieces) {
      if (piece.kind === 'gap') {
        position += piece.bytes
        continue
      }
      const end = position + piece.data.length
      assert.ok(piece.data.equals(text.subarray(position, end)), `${run}: bytes ${position} to ${end}`)
      position = end
      kept += piece.data.length
    }
    assert.equal(position, text.length, `${run}: everything that was printed is counted`)
    assert.ok(kept > KEPT * 0.9 && kept <= KEPT, `${run}: ${kept} bytes are kept`)
  }
  return largest
}

test('children that print 1 GB leave the memory flat, their outputs bounded, and nothing late', async t => {
  const silent = await burst(t, 'echo; sleep 2')
  await silent.krond.stop()
  silent.krond.discard()
  const flood = await burst(t, FLOOD)
  const { krond } = flood
  const largest = checkOutputs(krond)
  assert.equal(krond.events('missed_deadline').length, 0)
  const growth = ({ before, most }: Burst): number => most - before
  t.diagnostic(
    `${CHILDREN} silent children: memory ${silent.before.toFixed(0)} MB before, ${silent.most.toFixed(0)} MB at most; last start ${silent.latestMs} ms late`,
  )
  t.diagnostic(
    `${CHILDREN} children, ${(CHILDREN * 1_008_888) / 1e9} GB: memory ${flood.before.toFixed(0)} MB before, ${flood.most.toFixed(0)} MB at most; last start ${flood.latestMs} ms late; largest output file ${largest} bytes`,
  )
  assert.ok(
    growth(flood) < growth(silent) + 20,
    `memory grew by ${growth(flood)} MB instead of ${growth(silent)}`,
  )
  assert.equal((await krond.stop()).code, 0)
})

test('kill -9 in the middle of the flood: every output is complete up to its bound', async t => {
  const { krond } = await burst(t, `seq 1 80000; sleep 1; seq 80001 159999`, async krond => {
    await krond.eventually(() => krond.events('started').length >= CHILDREN / 2, 'half of the starts')
    await krond.stop('SIGKILL')
    await krond.start()
  })
  const state = await krond.state('j-0')
  assert.equal(state!.History.at(-1)?.Outcome, 'executed')
  checkOutputs(krond)
  t.diagnostic(`${CHILDREN} outputs complete after kill -9`)
  assert.equal((await krond.stop()).code, 0)
})
