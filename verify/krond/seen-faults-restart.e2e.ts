/** Seen on real hosts: a restart of the service paused scheduling for 30 s while a job was running. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { Krond } from '@kron/testkit/krond/blackbox/krond'
import { seen } from './seen.ts'

const NOON = Date.parse('2026-03-01T12:00:30Z')
const MINUTE = 60_000
/** A minute takes six seconds: long enough for a restart on a busy machine, and five of them pass in 30 s. */
const SPEED = 10
const NOT_A_CONTAINER = new URL('not-a-container.mjs', import.meta.url).href
/** No restart takes this many periods. */
const PAUSED = 3

/** The flags that decide how a stop of the packaged service treats running jobs. */
function stopFlags(sources: string): readonly string[] {
  const packaged = (name: string): string => readFileSync(`${sources}/packaging/${name}`, 'utf8')
  const command = /^ExecStart=.*$/m.exec(packaged('systemd/krond.service'))![0]
  const how = /--stop \w+/.exec(command)?.[0].split(' ') ?? []
  const timeout = /^stop-timeout = (\w+)$/m.exec(packaged('krond.conf'))?.[1]
  assert.ok(timeout)
  return [...how, '--stop-timeout', timeout]
}

seen(
  'a restart with a running job does not pause scheduling',
  async (t, { sources, options }) => {
    const krond = new Krond(t, { at: NOON, speed: SPEED })
    const lingers = `${krond.says}; while ! [ -e ${krond.directory}/go ] && [ -d ${krond.directory} ]; do sleep 0.05; done`
    krond.write([
      krond.job('* * * * * @policy(deadline=50s,concurrency=forbid)', 'long', lingers),
      krond.job('* * * * * @policy(deadline=50s)', 'quick'),
    ])
    const periods = (name: string): number[] =>
      krond
        .ran()
        .filter(line => line.startsWith(`${name} `))
        .map(line => Date.parse(line.split(' ')[1]!))
    const env = { NODE_OPTIONS: `--import=${NOT_A_CONTAINER}`, container: '' }
    const started = { ...options, env, flags: stopFlags(sources) }
    await krond.start(started)
    assert.ok(!krond.isDead, krond.transcript())
    const isRunning = (): boolean =>
      krond.events('started', 'long').length > 0 && krond.events('finished', 'quick').length > 0
    await krond.eventually(isRunning, 'a running job, and a run that has ended')
    const before = periods('quick')
    assert.equal((await krond.stop()).code, 0)
    await krond.start(started)
    await krond.eventually(() => periods('quick').length > before.length, 'the next run')
    const gap = (periods('quick')[before.length]! - before.at(-1)!) / MINUTE
    const isAdopted = krond.events('adopted', 'long').length === 1
    const runs = periods('long').length
    writeFileSync(`${krond.directory}/go`, '')
    await krond.eventually(() => krond.events('finished', 'long').length > 0, 'the end of the running job')
    await krond.stop()
    t.diagnostic(`${sources === options.earlier ? 'before' : 'now'}: ${gap - 1} periods without a run`)
    return { isPaused: gap > PAUSED, isAdopted, runs }
  },
  {
    before: { isPaused: true, isAdopted: true, runs: 1 },
    now: { isPaused: false, isAdopted: true, runs: 1 },
  },
)
