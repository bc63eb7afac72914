/** 1,000 children that print 1 GB in total: memory, outputs and starts, also with kill -9 in the middle. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { readKeptOutput } from '@kron/host'
import { Krond } from '@kron/testkit/krond/blackbox/krond'
import type { LogLine } from '@kron/testkit/krond/blackbox/log-file'

const CHILDREN = Number(process.env['KRON_E2E_CHILDREN'] ?? 1_000)
/** About a megabyte of numbered lines. */
const FLOOD = 'seq 1 159999'
const KEPT = 65_536
/** Jobs that start in the minute of the flood, each in a second of its own choice. */
const OTHERS = 120

const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_024

interface Burst {
  readonly krond: Krond
  /** Resident memory of the daemon in megabytes: before the burst and at most during it. */
  readonly before: number
  readonly most: number
  /** How late the children started, and the jobs beside them; in milliseconds, ascending. */
  readonly children: readonly number[]
  readonly others: readonly number[]
  readonly cpu: Cpu
}

/** Processor time in seconds. */
interface Cpu {
  readonly commands: number
  /** The parents of the commands, which read and keep their output. */
  readonly runs: number
  readonly serve: number
  readonly krond: number
}

const NOON = '0 12 * * *'

interface Occasion {
  /** When the children are due: all at noon, unless given. */
  readonly schedule?: string
  /** Called while they run. */
  readonly during?: (krond: Krond) => Promise<void>
}

/** The children are due at noon or from then on, and so are other jobs, one after the other. */
async function burst(
  t: TestContext,
  script: string,
  { schedule = `${NOON} @policy(deadline=1h)`, during = async () => {} }: Occasion = {},
): Promise<Burst> {
  const krond = new Krond(t, { at: Date.parse('2026-03-01T11:30:00Z') })
  krond.write([
    ...Array.from({ length: CHILDREN }, (_, i) => krond.job(schedule, `j-${i}`, script)),
    ...Array.from({ length: OTHERS }, (_, i) =>
      krond.job(`${NOON} @win(after,1m) @policy(deadline=1h)`, `other-${i}`, 'true'),
    ),
  ])
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
    return outputsOf(krond).length >= CHILDREN && !krond.status().running.some(isChild)
  }, `${CHILDREN} ends`)
  const started = krond.events('started')
  const latenessOf = (lines: readonly LogLine[]): number[] =>
    lines.map(line => Number(line['lateness_ms'])).sort((a, b) => a - b)
  return {
    ...{ krond, before, most, cpu: cpuOf(krond) },
    children: latenessOf(started.filter(isChild)),
    others: latenessOf(started.filter(line => !isChild(line))),
  }
}

const isChild = ({ identity = '' }: { readonly identity?: string }): boolean => identity.includes(':j-')

function cpuOf(krond: Krond): Cpu {
  const [serve] = readFileSync(`/proc/${krond.pid}/task/${krond.pid}/children`, 'utf8').trim().split(' ')
  const [own, ofServe] = [timesOf(String(krond.pid)), timesOf(serve!)]
  const millis = krond
    .events('finished')
    .reduce((sum, line) => sum + Number(line['user_cpu_ms']) + Number(line['system_cpu_ms']), 0)
  const commands = millis / 1_000
  return { commands, runs: ofServe.children - commands, serve: ofServe.own, krond: own.own }
}

/** The processor time of a process, and of all children that it waited for. */
function timesOf(pid: string): { readonly own: number; readonly children: number } {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const seconds = (index: number): number => (Number(fields[index]) + Number(fields[index + 1])) / 100
  return { own: seconds(11), children: seconds(13) }
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

const middle = (sorted: readonly number[]): number => sorted[sorted.length >> 1] ?? 0

const lateness = (sorted: readonly number[]): string =>
  `${middle(sorted)} ms late, 99 of 100 within ${sorted[Math.floor(sorted.length * 0.99)] ?? 0} ms, the last ${sorted.at(-1) ?? 0} ms`

/** For people: how this burst compares. Times swing with the machine, so none of them is asserted. */
function tell(t: TestContext, what: string, { before, most, children, others, cpu }: Burst): void {
  const seconds = Object.entries(cpu).map(([who, time]) => `${who} ${time.toFixed(1)}`)
  t.diagnostic(
    `${CHILDREN} children ${what}: memory ${before.toFixed(0)} MB before, ${most.toFixed(0)} MB at most; ` +
      `started ${lateness(children)}; ${others.length} jobs beside them ${lateness(others)}; ` +
      `seconds of processor time: ${seconds.join(', ')}`,
  )
}

const growth = ({ before, most }: Burst): number => most - before

test('children that print 1 GB leave the memory flat, their outputs bounded, and no deadline missed', async t => {
  const bursts: Burst[] = []
  for (const [what, script] of [
    ['that sleep', 'echo; sleep 2'],
    ['that print to /dev/null themselves', `${FLOOD} > /dev/null; echo`],
    ['that print through a pipe of their own', `${FLOOD} | cat > /dev/null; echo`],
  ] as const) {
    const each = await burst(t, script)
    tell(t, what, each)
    assert.equal(each.krond.events('missed_deadline').length, 0)
    await each.krond.stop()
    each.krond.discard()
    bursts.push(each)
  }
  const flood = await burst(t, FLOOD)
  const { krond } = flood
  const largest = checkOutputs(krond)
  tell(t, `that print ${(CHILDREN * 1_008_888) / 1e9} GB, of which files of ${largest} bytes are kept`, flood)
  assert.equal(krond.events('missed_deadline').length, 0)
  const most = Math.max(...bursts.map(growth))
  assert.ok(growth(flood) < most + 20, `memory grew by ${growth(flood)} MB instead of ${most}`)
  assert.equal((await krond.stop()).code, 0)
})

test('children that print 1 GB in the course of 20 s: no period is missed, nor one of the jobs beside them', async t => {
  // Without a deadline, krond judges a period in its second, and a start may take ten seconds more.
  const schedule = `${NOON} @win(after,20s)`
  for (const [what, script] of [
    ['over 20 s that print to /dev/null themselves', `${FLOOD} > /dev/null; echo`],
    ['over 20 s that print 1 MB each', FLOOD],
  ] as const) {
    const each = await burst(t, script, { schedule })
    tell(t, what, each)
    assert.equal(each.krond.events('missed_deadline').length, 0)
    assert.equal(each.children.length, CHILDREN)
    if (script === FLOOD) checkOutputs(each.krond)
    await each.krond.stop()
    each.krond.discard()
  }
})

test('kill -9 in the middle of the flood: every output is complete up to its bound', async t => {
  const { krond } = await burst(t, `seq 1 80000; sleep 1; seq 80001 159999`, {
    during: async krond => {
      await krond.eventually(() => krond.events('started').length >= CHILDREN / 2, 'half of the starts')
      await krond.stop('SIGKILL')
      await krond.start()
    },
  })
  const state = await krond.state('j-0')
  assert.equal(state!.History.at(-1)?.Outcome, 'executed')
  checkOutputs(krond)
  t.diagnostic(`${CHILDREN} outputs complete after kill -9`)
  assert.equal((await krond.stop()).code, 0)
})
