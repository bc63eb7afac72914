import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import type { Handled } from '@kron/core'
import { claimName, type StateEvent, seen } from '@kron/host'
import { type Disk, nodeDisk, readJournal, systemClock, VirtualClock, VirtualDisk } from '@kron/runtime'
import { diskWith } from '@kron/testkit/disk/disk-with'
import { StateStore, stateFileName } from './state-store.ts'

const DIRECTORY = '/s'
const HANDLED: Handled = { through: 1_000, above: [], firstSeen: 900 }
const REST = { seq: 1, handled: HANDLED }
const LATER: Handled = { through: 2_000, above: [], firstSeen: 900 }

const open = (disk: Disk, directory = DIRECTORY): Promise<StateStore> =>
  StateStore.open({ disk, directory, clock: systemClock, history: 5, fatal: assert.fail })

const pathOf = (identity: string): string => `${DIRECTORY}/${stateFileName(identity)}`

async function overwrite(disk: Disk, path: string, text: string): Promise<void> {
  await disk.remove(path)
  const file = await disk.create(path, 0o600)
  await file.write(Buffer.from(text))
}

/** A directory with the states of these jobs and a summary of them. */
async function summarised(identities: readonly string[], disk = new VirtualDisk()): Promise<VirtualDisk> {
  await disk.makeDirectory(DIRECTORY, 0o700)
  const store = await open(disk)
  for (const identity of identities) await store.record(identity, 1, seen(HANDLED))
  await store.flush()
  await store.summarise(identities.map(identity => ({ identity, rest: REST })))
  await store.close()
  return disk
}

test('the state of a job whose file has not changed since the summary is known without reading it', async () => {
  const store = await open(await summarised(['/x:a', '/x:b']))
  for (const identity of ['/x:a', '/x:b'])
    assert.deepEqual(await store.load(identity), { kind: 'resting', seq: 1, handled: HANDLED })
  assert.equal(store.filesRead, 0)
  assert.deepEqual(await store.load('/x:c'), { kind: 'new' })
})

test('the summary serves jobs in any order, whatever has come or gone between them', async () => {
  const disk = await summarised(['/x:a', '/x:b', '/x:c', '/x:d', '/x:e'])
  const store = await open(disk)
  const kinds = []
  for (const identity of ['/x:a', '/x:new', '/x:b', '/x:e', '/x:c', '/x:a', '/x:d', '/x:other'])
    kinds.push((await store.load(identity)).kind)
  const known = Array(5).fill('resting')
  assert.deepEqual(kinds, ['resting', 'new', ...known, 'new'])
  assert.equal(store.filesRead, 0)
})

test('a job that was busy when the summary was made is read, and does not hide those after it', async () => {
  const disk = await summarised(['/x:a', '/x:b', '/x:c'])
  const busy = await open(disk)
  await busy.summarise([
    { identity: '/x:a', rest: REST },
    { identity: '/x:b', rest: undefined },
    { identity: '/x:c', rest: REST },
  ])
  await busy.close()
  const store = await open(disk)
  const kinds = []
  for (const identity of ['/x:a', '/x:b', '/x:c']) kinds.push((await store.load(identity)).kind)
  assert.deepEqual(kinds, ['resting', 'known', 'resting'])
})

test('a file that was changed by hand, spoiled or removed is found in spite of the summary', async () => {
  const disk = await summarised(['/x:a', '/x:b', '/x:c'])
  const text = Buffer.from(await disk.read(pathOf('/x:a'))).toString()
  await overwrite(disk, pathOf('/x:a'), text)
  await overwrite(disk, pathOf('/x:b'), '{')
  await disk.remove(pathOf('/x:c'))
  const store = await open(disk)
  const kinds = []
  for (const identity of ['/x:a', '/x:b', '/x:c']) kinds.push((await store.load(identity)).kind)
  assert.deepEqual(kinds, ['known', 'corrupt', 'new'])
})

test('what the journal holds goes before the summary', async () => {
  const disk = await summarised(['/x:a'])
  const dying = await open(disk)
  await dying.record('/x:a', 2, seen(LATER))
  const loaded = await (await open(disk)).load('/x:a')
  assert.ok(loaded.kind === 'known')
  assert.equal(loaded.state.Seq, 2)
})

test('a state that only the journal held is not lost when its file is written before the job is loaded', async () => {
  const disk = await summarised(['/x:a'])
  const dying = await open(disk)
  await dying.record('/x:b', 1, seen(HANDLED))
  const store = await open(disk.copy())
  await store.record('/x:c', 1, seen(HANDLED))
  await store.flush()
  assert.equal((await store.load('/x:b')).kind, 'known')
})

test('a state whose file is written while somebody looks around is not hidden by the names that were there', async () => {
  const disk = await summarised(['/x:a'])
  let meanwhile = async () => {}
  const list = async (path: string) => {
    const names = await disk.list(path)
    await meanwhile()
    return names
  }
  const store = await open(diskWith(disk, { list }))
  await store.record('/x:b', 1, seen(HANDLED))
  meanwhile = () => store.flush()
  await store.lookAround()
  assert.equal((await store.load('/x:b')).kind, 'known')
})

test('a summary that is spoiled anywhere is as good as none', async () => {
  const disk = await summarised(['/x:a'])
  const path = `${DIRECTORY}/summary`
  const sound = Buffer.from(await disk.read(path)).toString()
  for (let at = 0; at < sound.length; at++) {
    const other = sound[at] === '7' ? '8' : '7'
    for (const text of [sound.slice(0, at), `${sound.slice(0, at)}${other}${sound.slice(at + 1)}`]) {
      await overwrite(disk, path, text)
      assert.equal((await (await open(disk)).load('/x:a')).kind, 'known', text)
    }
  }
  await overwrite(disk, path, sound)
  assert.equal((await (await open(disk)).load('/x:a')).kind, 'resting')
})

test('what is recorded or written while the summary is made is not in it', async () => {
  for (const written of [false, true]) {
    const disk = new VirtualDisk()
    await disk.makeDirectory(DIRECTORY, 0o700)
    const stat: Disk['stat'] = async path => {
      const before = await disk.stat(path)
      if (path !== pathOf('/x:a') || busy) return before
      busy = true
      await store.record('/x:a', 2, seen(LATER))
      if (written) await store.flush()
      // Whether it is read before or after the change, it does not belong to the earlier state.
      return disk.stat(path)
    }
    const store = await open(diskWith(disk, { stat }))
    let busy = false
    for (const identity of ['/x:a', '/x:b']) await store.record(identity, 1, seen(HANDLED))
    await store.flush()
    await store.summarise(['/x:a', '/x:b'].map(identity => ({ identity, rest: REST })))
    await store.close()
    const next = await open(disk)
    assert.deepEqual([(await next.load('/x:a')).kind, (await next.load('/x:b')).kind], ['known', 'resting'])
  }
})

/** A store that has just written its files; the record of `/x:late` came while the journal began another segment. */
async function recordedDuringCut(): Promise<{ readonly disk: VirtualDisk; readonly store: StateStore }> {
  const disk = new VirtualDisk()
  await disk.makeDirectory(DIRECTORY, 0o700)
  let late: Promise<void> | undefined
  const rename: Disk['rename'] = async (from, to) => {
    if (to.endsWith('/journal-00000002')) late ??= store.record('/x:late', 1, seen(HANDLED))
    return disk.rename(from, to)
  }
  const store = await open(diskWith(disk, { rename }))
  await store.record('/x:early', 1, seen(HANDLED))
  await store.flush()
  await late
  assert.ok(late !== undefined && (await disk.list(DIRECTORY)).includes(stateFileName('/x:late')))
  return { disk, store }
}

async function journalledIn(disk: Disk): Promise<readonly string[]> {
  const identities: string[] = []
  await readJournal(disk, DIRECTORY, bytes => {
    identities.push((JSON.parse(Buffer.from(bytes).toString()) as { Identity: string }).Identity)
  })
  return identities
}

test('a store that is closed leaves nothing in the journal, also what was recorded during its last cut', async () => {
  const { disk, store } = await recordedDuringCut()
  assert.deepEqual(await journalledIn(disk), ['/x:late'])
  await store.close()
  assert.deepEqual(await journalledIn(disk), [])
  assert.equal((await (await open(disk)).load('/x:late')).kind, 'known')
})

test('a pruned state does not come back from the journal after a crash', async () => {
  const { disk, store } = await recordedDuringCut()
  const removed = await store.prune(states => states.filter(each => each.Identity === '/x:late'))
  assert.deepEqual(
    removed.map(each => each.Identity),
    ['/x:late'],
  )
  const next = await open(disk.copy())
  assert.deepEqual([(await next.load('/x:late')).kind, (await next.load('/x:early')).kind], ['new', 'known'])
})

test('the claim of a period that runs again after a forced reset is not released', async () => {
  const disk = new VirtualDisk()
  await disk.makeDirectory(DIRECTORY, 0o700)
  const released: string[] = []
  const store = await StateStore.open({
    disk,
    directory: DIRECTORY,
    clock: systemClock,
    history: 5,
    fatal: assert.fail,
    onSaved: ({ endedClaims }) => released.push(...endedClaims),
  })
  const period = '1970-01-01T00:20:00Z'
  const execution = {
    PeriodID: period,
    ChosenTime: period,
    StartedAt: period,
    PID: 0,
    BootID: '',
    BootTime: 0,
    ProcessStart: 0,
  }
  const handled = { HandledThrough: '1970-01-01T00:19:00Z', HandledPeriods: [] }
  const ofFirst: StateEvent[] = [
    seen(HANDLED),
    { kind: 'intended', execution: { ...execution, ExecutionID: 'first' } },
    { kind: 'finished', executionId: 'first', completedAt: period, exitCode: 0 },
  ]
  const ofSecond: StateEvent[] = [
    { kind: 'reopened', at: period, firstSeen: period, handled, forgotten: [period] },
    { kind: 'intended', execution: { ...execution, ExecutionID: 'second' } },
  ]
  for (const [index, event] of [...ofFirst, ...ofSecond].entries())
    await store.record('/x:a', index + 1, event)
  await store.flush()
  assert.deepEqual(released, [])
  await store.record('/x:a', 6, {
    kind: 'finished',
    executionId: 'second',
    completedAt: period,
    exitCode: 0,
  })
  await store.close()
  assert.deepEqual(released, [claimName('/x:a', Date.parse(period) / 1_000)])
})

test('the version of a real file tells every change, even with its times set back', async t => {
  const directory = mkdtempSync(`${tmpdir()}/kron-version-`)
  t.after(() => rmSync(directory, { recursive: true }))
  const path = `${directory}/file`
  writeFileSync(path, 'old', { mode: 0o600 })
  const settled = async (): Promise<string> => {
    for (;;) {
      const { version } = await nodeDisk.stat(path)
      if (version !== undefined) return version
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
  const versions = [await settled()]
  const times = [new Date(1e12), new Date(1e12)] as const
  for (const change of [
    () => utimesSync(path, ...times),
    () => {
      writeFileSync(path, 'new')
      utimesSync(path, ...times)
    },
    () => chmodSync(path, 0o640),
  ]) {
    change()
    versions.push(await settled())
  }
  assert.equal(readFileSync(path, 'utf8'), 'new')
  assert.equal(new Set(versions).size, versions.length)
})

test('files are written when nobody waits to be started any more', async () => {
  const disk = new VirtualDisk()
  await disk.makeDirectory(DIRECTORY, 0o700)
  const clock = new VirtualClock()
  let resume = (): void => {}
  const lull = (): Promise<void> => new Promise(resolve => (resume = resolve))
  const caughtUp = Promise.withResolvers<void>()
  const store = await StateStore.open({
    disk,
    directory: DIRECTORY,
    clock,
    history: 5,
    fatal: assert.fail,
    lull,
    caughtUp: caughtUp.resolve,
  })
  const files = async (): Promise<string[]> =>
    (await disk.list(DIRECTORY)).filter(name => name.endsWith('.json'))
  await store.record('/x:a', 1, seen(HANDLED))
  await clock.run(60_000)
  assert.deepEqual(await files(), [])
  resume()
  await caughtUp.promise
  assert.deepEqual(await files(), [stateFileName('/x:a')])
})
