import { printInstant, UTC } from '@kron/core'
import {
  applyRecord,
  type Entry,
  parseJobFile,
  type State,
  type StateEvent,
  type StateRecord,
  seen,
} from '@kron/host'
import type { Clock, Disk, DiskFile } from '@kron/runtime'
import type { Run } from '../../../../krond/src/effects/ports.ts'
import type { Loaded } from '../../../../krond/src/store/state-store.ts'
import { forgetfulOfClaims, hasty, impatient, optimistic } from './broken-messages.ts'
import { intercept } from './machine.ts'
import { JOB_FILE, parseLines } from './places.ts'
import type { Sabotage } from './sabotage.ts'

const HOUR = 3_600_000
const SEGMENT = /^journal-\d{8}$/
/** Bytes of the header of a segment. */
const HEADER_SIZE = 16
const LONG_AGO: StateRecord = {
  Identity: '',
  Seq: 1,
  Event: seen({ through: 0, above: [], firstSeen: 0 }),
}

/** A daemon that reads its job file with a mistake in each schedule. */
const misreading =
  (mistake: (schedule: Entry['schedule']) => Partial<Entry['schedule']>) =>
  (lines: readonly string[]): readonly Entry[] | undefined =>
    parseLines(lines)?.map(entry => withSchedule(entry, { ...entry.schedule, ...mistake(entry.schedule) }))

const withSchedule = (entry: Entry, schedule: Entry['schedule']): Entry =>
  Object.create(entry, { schedule: { value: schedule, enumerable: true } })

/** A store that does not make some events durable, but reports that it did. */
const forgetting = (forgets: (event: StateEvent) => boolean): Sabotage => ({
  store: store =>
    intercept(store, {
      record: (identity, seq, event) =>
        forgets(event) ? Promise.resolve() : store.record(identity, seq, event),
    }),
})

/** A store that returns a wrong state of a job. */
const misremembering = (mistake: (loaded: Loaded) => Loaded): Sabotage => ({
  store: store => intercept(store, { load: async identity => mistake(await store.load(identity)) }),
})

const withState = (loaded: Loaded, change: (state: State) => Partial<State>): Loaded =>
  loaded.kind === 'known' ? { ...loaded, state: { ...loaded.state, ...change(loaded.state) } } : loaded

/** A disk whose files misbehave. */
const changedFiles = (disk: Disk, change: (file: DiskFile) => DiskFile): Disk => ({
  ...disk,
  create: async (path, mode) => change(await disk.create(path, mode)),
  openToAppend: async path => change(await disk.openToAppend(path)),
})

/** The same event, in which missed periods are skipped ones. */
function withOtherOutcomes(event: StateEvent): StateEvent {
  if (event.kind !== 'notExecuted') return event
  const periods = event.periods.map(each =>
    each.outcome === 'missed' ? { ...each, outcome: 'skipped' as const } : each,
  )
  return { ...event, periods }
}

/** The names that an earlier daemon left are not made durable before they are used. */
function forgettingNames(disk: Disk): Disk {
  let left: boolean | undefined
  return {
    ...disk,
    list: async path => {
      const names = await disk.list(path)
      left ??= names.some(name => name.startsWith('journal-'))
      return names
    },
    syncDirectory: async path => {
      if (!left) await disk.syncDirectory(path)
      left = false
    },
  }
}

/**
 * At its start it puts a copy in the place of the newest segment of the journal. Of the copy only the header is synced. The
 * records become durable again a moment later, when the journal is opened.
 */
function copyingJournal(): (disk: Disk) => Disk {
  let copies = 0
  const copy = async (disk: Disk, path: string): Promise<void> => {
    const bytes = await disk.read(path)
    // The next daemon removes a file with such a name.
    const temporary = `${path}.0-${++copies}.tmp`
    const file = await disk.create(temporary, 0o600)
    await file.write(bytes.subarray(0, HEADER_SIZE))
    await file.sync()
    await file.write(bytes.subarray(HEADER_SIZE))
    await disk.rename(temporary, path)
  }
  return disk => {
    let isCopied = false
    return {
      ...disk,
      list: async path => {
        const names = await disk.list(path)
        const newest = names.sort().findLast(name => SEGMENT.test(name))
        if (newest !== undefined && !isCopied) await copy(disk, `${path}/${newest}`)
        isCopied = true
        return names
      },
    }
  }
}

/** After downtime, its last half day is replayed a hundred times faster instead of skipped. */
function replaying(): (clock: Clock) => Clock {
  let seen = Number.POSITIVE_INFINITY
  return clock => {
    const began = clock.monotonic!()
    const resumed = Math.max(Math.min(seen, clock.now()), clock.now() - 12 * HOUR)
    const now = (): number => Math.min(clock.now(), resumed + (clock.monotonic!() - began) * 100)
    return {
      ...{ monotonic: () => clock.monotonic!(), clearTimer: timer => clock.clearTimer(timer) },
      now: () => {
        seen = now()
        return seen
      },
      setTimer: (milliseconds, fire) =>
        clock.setTimer(now() < clock.now() ? milliseconds / 100 : milliseconds, fire),
    }
  }
}

/** Periods in the future count as not handled, even if they were handled before the clock was set back. */
function rehandling(): Sabotage {
  let clock: Clock | undefined
  const now = (): string => printInstant(Math.floor(clock!.now() / 1_000))
  const earlier = (time: string): string => (time < now() ? time : now())
  return {
    clock: each => {
      clock = each
      return each
    },
    ...misremembering(loaded =>
      withState(loaded, ({ HandledThrough }) => ({
        HandledThrough: earlier(HandledThrough),
        HandledPeriods: [],
      })),
    ),
  }
}

/** One deliberately broken daemon for every kind of mistake; each mistake is made between the daemon and a port. */
export const BROKEN_VARIANTS = {
  'skips the intent write': () => forgetting(event => event.kind === 'intended'),
  'skips the fsync of the journal': () => ({
    disk: disk => changedFiles(disk, file => ({ ...file, appendDurably: bytes => file.write(bytes) })),
  }),
  'keeps an outcome to itself': () => forgetting(event => event.kind === 'notExecuted'),
  'changes a terminal outcome': () => ({
    store: store =>
      intercept(store, {
        record: (identity, seq, event) => store.record(identity, seq, withOtherOutcomes(event)),
      }),
  }),
  'starts every process twice': () => ({
    processes: processes =>
      intercept(processes, {
        start: async request => {
          await processes.start(request)
          processes.release(request.claim)
          return processes.start(request)
        },
      }),
  }),
  'takes a lost start for a refused one': () => ({
    processes: processes =>
      intercept(processes, {
        start: async request => {
          const answer = await processes.start(request)
          if (answer.kind !== 'unknown') return answer
          processes.release(request.claim)
          return { ...answer, kind: 'refused' }
        },
      }),
  }),
  'starts a failed command again': () => ({
    processes: processes =>
      intercept(processes, {
        start: async request => {
          const answer = await processes.start(request)
          const again = async (run: Run): Promise<void> => {
            if ((await run.ended).exitCode === 0) return
            processes.release(request.claim)
            await processes.start(request)
          }
          if (answer.kind === 'started') void again(answer.run)
          return answer
        },
      }),
  }),
  'says that every command succeeded': () => ({
    processes: processes =>
      intercept(processes, {
        start: async request => {
          const answer = await processes.start(request)
          if (answer.kind !== 'started') return answer
          const ended = answer.run.ended.then(() => ({ exitCode: 0, signal: null }))
          return { kind: 'started', run: { ...answer.run, ended } }
        },
      }),
  }),
  'starts again when an answer is late': impatient,
  'takes a doubled answer for the end': hasty,
  'takes an end that nobody saw for a success': optimistic,
  'takes an unanswered start for none': forgetfulOfClaims,
  'finds no survivor': () => ({
    processes: processes =>
      intercept(processes, {
        follow: async () => ({ kind: 'unknown' }),
        attach: () => undefined,
        survivors: async () => [],
      }),
  }),
  'ignores the boot id': () => ({ boot: boot => ({ ...boot, id: 'always the same' }) }),
  'forgets at a restart what is handled': () =>
    misremembering(loaded =>
      withState(loaded, ({ FirstSeen }) => ({ HandledThrough: FirstSeen, HandledPeriods: [] })),
    ),
  'handles again what a backward jump brings back': rehandling,
  'begins anew after a corrupt state': () =>
    misremembering(loaded =>
      loaded.kind === 'corrupt' ? { kind: 'known', state: applyRecord(undefined, LONG_AGO) } : loaded,
    ),
  'believes what is in its history alone': () =>
    misremembering(loaded =>
      withState(loaded, ({ History, FirstSeen }) => ({
        HandledThrough: History.at(-1)?.PeriodID ?? FirstSeen,
        HandledPeriods: [],
      })),
    ),
  'replays what it missed': () => ({ clock: replaying() }),
  'goes on after a failed write': () => ({
    store: store =>
      intercept(store, {
        record: (identity, seq, event) => store.record(identity, seq, event).catch(() => {}),
      }),
  }),
  'chooses outside the window': () => ({
    parse: misreading(({ window }) => ({
      window: { ...window, duration: window.duration + 2 * HOUR * 1e6 },
    })),
  }),
  'chooses anew after every restart': () => {
    let boots = 0
    return { parse: lines => misreading(({ seed }) => ({ seed: { ...seed, salt: `${boots++}` } }))(lines) }
  },
  'ignores suspension': () => ({
    parse: misreading(({ policy }) => ({ policy: { ...policy, suspend: false } })),
  }),
  'ignores constraints': () => ({ parse: misreading(() => ({ constraints: {} })) }),
  'ignores deadlines': () => ({
    parse: misreading(({ policy }) => ({ policy: { ...policy, deadline: 300 * HOUR * 1e6 } })),
  }),
  'ignores the time zone': () => ({ parse: misreading(() => ({ zone: UTC })) }),
  'runs what is right in a wrong file': () => ({
    parse: lines => parseJobFile(lines.join('\n').replace('61 *', '* *'), JOB_FILE).entries,
  }),
  'believes a summary that is out of date': () => ({
    disk: disk => ({ ...disk, stat: async path => ({ ...(await disk.stat(path)), version: 'any' }) }),
  }),
  'copies the journal without an fsync': () => ({ disk: copyingJournal() }),
  'builds on names that are not durable': () => ({ disk: forgettingNames }),
  'has a clock that is ahead': () => ({
    clock: clock => intercept(clock, { now: () => clock.now() + HOUR }),
  }),
  'never wakes': () => ({
    clock: clock =>
      intercept(clock, {
        setTimer: (milliseconds, fire) =>
          milliseconds < 1_000 ? clock.setTimer(milliseconds, fire) : undefined,
      }),
  }),
} satisfies Record<string, () => Sabotage>

export type BrokenVariant = keyof typeof BROKEN_VARIANTS
