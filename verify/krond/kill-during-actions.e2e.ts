/** trigger, pause, resume and reload of the real daemon, killed before and after every operation on disk and serve. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { activeManualOf } from '@kron/host'
import type { PausePage, PauseResult, ReloadResult, ResumeResult, TriggerResult } from '@kron/host/api'
import { Krond } from '@kron/testkit/krond/blackbox/krond'
import { ranTwice } from '@kron/testkit/once/once'

const YEARLY = '0 0 1 1 *'
/** The operations after the answer, such as the record of an end, come within this time. */
const AFTER_THE_ANSWER_MS = 400

interface Action<T> {
  /** Before the operations are counted. */
  prepare?(krond: Krond): Promise<void>
  act(krond: Krond): Promise<T | undefined>
  /** With the next daemon; `answer` is undefined if the first daemon died before it answered. */
  check(krond: Krond, answer: T | undefined): Promise<void>
}

/** Returns how many daemons were killed: the steps end where a daemon survives the whole action. */
async function killAtEveryStep<T>(t: TestContext, { prepare, act, check }: Action<T>): Promise<number> {
  let killed = 0
  for (let step = 1; ; step++) {
    const before = killed
    for (const after of [false, true]) {
      const krond = new Krond(t)
      krond.write([krond.job(YEARLY, 'a')])
      const armedBy = `${krond.directory}/armed`
      await krond.start({ circumstances: { death: { at: step, after, armedBy } } })
      await prepare?.(krond)
      writeFileSync(armedBy, '')
      const answer = await act(krond)
      const end = Date.now() + AFTER_THE_ANSWER_MS
      await krond.eventually(() => krond.isDead || Date.now() > end, 'the end of the action')
      if (krond.isDead) killed++
      else await krond.stop('SIGKILL')
      await krond.start()
      await check(krond, answer)
      assert.equal((await krond.stop()).code, 0, `step ${step}, ${after ? 'after' : 'before'} it`)
      krond.discard()
    }
    if (killed === before) return killed
  }
}

const a = (krond: Krond): string => `/api/v1/jobs/${encodeURIComponent(krond.identity('a'))}`
const okOf = <T>(answer: { ok: T } | object | undefined): T | undefined =>
  answer !== undefined && 'ok' in answer ? (answer.ok as T) : undefined
const pausesOf = async (krond: Krond): Promise<readonly string[]> =>
  okOf<PausePage>(await krond.ask('GET', '/api/v1/pauses'))!.pauses.map(each => each.id)

test('a trigger that is sent again after kill -9 at any step runs exactly once', async t => {
  const request = (krond: Krond) =>
    krond.ask<TriggerResult>('POST', `${a(krond)}/trigger`, { requestId: 'request-1' })
  const killed = await killAtEveryStep(t, {
    act: async krond => okOf<TriggerResult>(await request(krond)),
    check: async (krond, first) => {
      const second = await request(krond)
      if (first !== undefined) assert.match(JSON.stringify(second), /made before/)
      await krond.eventually(() => krond.ran().length > 0, 'the run')
      const isOver = async () => activeManualOf((await krond.state('a'))!).length === 0
      for (let tries = 0; !(await isOver()) && tries < 500; tries++)
        await new Promise(resolve => setTimeout(resolve, 20))
      assert.equal(krond.ran().length, 1)
      assert.equal((await krond.state('a'))!.ManualRuns?.length, 1)
    },
  })
  t.diagnostic(`trigger: ${killed} kills`)
  assert.ok(killed >= 8, `${killed} kills`)
})

test('a pause that was answered holds after kill -9 at any step', async t => {
  const killed = await killAtEveryStep(t, {
    act: async krond => okOf<PauseResult>(await krond.ask('POST', `${a(krond)}/pause`, { reason: 'a move' })),
    check: async (krond, answer) => {
      const pauses = await pausesOf(krond)
      if (answer !== undefined) assert.deepEqual(pauses, [answer.pause.id])
      else assert.ok(pauses.length <= 1)
    },
  })
  t.diagnostic(`pause: ${killed} kills`)
  assert.ok(killed >= 4, `${killed} kills`)
})

test('a resume that was answered holds after kill -9 at any step', async t => {
  const killed = await killAtEveryStep(t, {
    prepare: async krond => assert.ok(okOf(await krond.ask('POST', `${a(krond)}/pause`, {}))),
    act: async krond => okOf<ResumeResult>(await krond.ask('POST', `${a(krond)}/resume`, {})),
    check: async (krond, answer) => {
      const pauses = await pausesOf(krond)
      if (answer !== undefined) assert.deepEqual([answer.ended, pauses], [1, []])
      else assert.ok(pauses.length <= 1)
    },
  })
  t.diagnostic(`resume: ${killed} kills`)
  assert.ok(killed >= 4, `${killed} kills`)
})

test('after kill -9 at any step of a reload, the next daemon has the new jobs, and knows what ran', async t => {
  const killed = await killAtEveryStep(t, {
    prepare: async krond => {
      assert.ok(okOf(await krond.ask('POST', `${a(krond)}/trigger`, { requestId: 'request-1' })))
      await krond.eventually(() => krond.events('finished', 'a').length === 1, 'the run to end')
      krond.write([krond.job(YEARLY, 'a'), krond.job(YEARLY, 'b')])
    },
    act: async krond => okOf<ReloadResult>(await krond.ask('POST', '/api/v1/reload', {})),
    check: async (krond, answer) => {
      if (answer !== undefined) assert.equal(answer.kind, 'applied')
      assert.equal(krond.events('started_daemon').at(-1)!['jobs'], 2)
      assert.equal((await krond.state('a'))!.ManualRuns?.length, 1)
      assert.equal(krond.ran().length, 1)
    },
  })
  t.diagnostic(`reload: ${killed} kills`)
})

test('under forbid a manual run never overlaps a scheduled one, with kill -9 in between', async t => {
  const krond = new Krond(t, { speed: 60 })
  const { directory } = krond
  const script = `mkdir ${directory}/alone 2>/dev/null || echo overlap >> ${directory}/overlaps; ${krond.says}; sleep 0.4; rmdir ${directory}/alone`
  krond.write([krond.job('* * * * * @policy(concurrency=forbid,deadline=50s)', 'a', script)])
  const answers = { started: 0, refused: 0, none: 0 }
  const KILLS = 12
  for (let round = 0; round < KILLS; round++) {
    await krond.start()
    const end = Date.now() + 2_500
    for (let i = 0; Date.now() < end; i++) {
      const answer = await krond.ask('POST', `${a(krond)}/trigger`, { requestId: `request-${round}-${i}` })
      answers[answer === undefined ? 'none' : 'ok' in answer ? 'started' : 'refused']++
      await new Promise(resolve => setTimeout(resolve, Math.random() * 120))
    }
    await krond.stop('SIGKILL')
  }
  await krond.start()
  await krond.eventually(() => krond.status().running.length === 0, 'the last run to end')
  await krond.stop()
  const ran = krond.ran()
  const scheduled = ran.filter(line => line !== 'a ').length
  const manual = ran.length - scheduled
  t.diagnostic(`${scheduled} scheduled and ${manual} manual runs, ${answers.refused} refused, ${KILLS} kills`)
  assert.equal(krond.read('overlaps'), '')
  assert.ok(scheduled > 0 && manual > 0 && answers.refused > 0, JSON.stringify(answers))
  assert.deepEqual(ranTwice(ran.filter(line => line !== 'a ')), [])
})
