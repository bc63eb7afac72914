import { randomUUID } from 'node:crypto'
import { type KronError, SystemError } from '@kron/core'
import { bootId, type Entry, type RunAccount, Shim } from '@kron/host'
import { nodeDisk, systemClock } from '@kron/runtime'
import type { ControlDesk } from '../control/desk.ts'
import { Daemon } from '../effects/daemon.ts'
import { JobOutput } from '../launch/job-output.ts'
import type { Launching } from '../launch/launching.ts'
import { hostOldRuns } from '../launch/old-runs.ts'
import { hostRunFiles, type RunFiles } from '../launch/run-files.ts'
import { ShimProcesses } from '../launch/shim-processes.ts'
import type { Emit } from '../log/event.ts'
import * as events from '../log/event.ts'
import { nativeHash } from '../native-hash.ts'
import { Messenger } from '../notify/messenger.ts'
import type { DiskRoom } from '../store/disk-room.ts'
import { pauseFile } from '../store/pause-file.ts'
import type { SavedState } from '../store/saved-state.ts'
import { type StateDamage, StateStore } from '../store/state-store.ts'
import type { KrondParts } from './krond.ts'
import { releaseGrownMemory } from './memory.ts'

export interface AssemblyParts {
  readonly krond: KrondParts
  readonly launching: Launching
  readonly desk: ControlDesk
  readonly room: DiskRoom
  readonly fatal: (error: KronError) => void
}

export interface Assembled {
  readonly daemon: Daemon
  readonly store: StateStore
  readonly messenger: Messenger
}

/** Connects the daemon to the real store, the real processes and the notifications. */
export async function assembleDaemon({
  krond,
  launching,
  desk,
  room,
  fatal,
}: AssemblyParts): Promise<Assembled> {
  const { options, emit, emitOutput, http, priority } = krond
  const { environment, runAs, clock = systemClock, disk = nodeDisk } = krond
  const { serve, runtime, runsDir, bootClock } = launching
  const output = new JobOutput(emitOutput)
  const shim = new Shim(krond.channel?.(serve) ?? serve, {
    output: (...given) => output.receive(...given),
    request: request => void desk.answer(request).then(text => shim.answer(request.connection, text, true)),
  })
  const boot = { id: bootId(), time: () => bootClock.nowMs() }
  const accountOf = (entry: Entry): RunAccount | undefined => runAs.of(entry)
  const files = hostRunFiles(runtime.claimsDir, runsDir)
  const processes = new ShimProcesses({
    shim,
    claimsId: runtime.id,
    files,
    oldRuns: hostOldRuns(clock, accountOf),
    clock,
    boot,
    environment,
    runAs: accountOf,
    onDamage: file => emit(events.traceDamaged(file)),
    onDirectoryLost: () => fatal(directoryLost(runtime.path)),
    onRef: (ref, entry, executionId) => output.expect(ref, entry, executionId),
  })
  let messenger: Messenger | undefined
  let daemon: Daemon | undefined
  const store = await StateStore.open({
    disk,
    directory: options.stateDir,
    clock,
    history: options.history,
    fatal,
    lull: () => priority.idle(),
    caughtUp: releaseGrownMemory,
    noRoom: error => room.failed(error),
    onDamage: damage => reportDamage(damage, emit, () => daemon),
    onSaved: saved => removeTraces(saved, processes, files),
    beforeCut: async () => messenger?.outcomesStored(),
    ...(http === undefined ? {} : { observer: http.stateObserver }),
  })
  const opened = await Messenger.open({
    options,
    disk,
    emit,
    now: () => clock.now(),
    idle: () => priority.idle(),
    peek: identity => store.peek(identity),
  })
  messenger = opened
  daemon = new Daemon({
    clock,
    store,
    pauses: pauseFile(disk, options.stateDir),
    priority,
    processes,
    boot,
    emit: event => {
      emit(event)
      opened.observe(event)
    },
    hash: nativeHash,
    newId: randomUUID,
    debug: options.logLevel === 'debug',
    fatal,
    mayStart: () => room.mayStart(),
    maxConcurrent: options.maxConcurrent,
    ...(krond.longestSearchMs !== undefined && { longestSearchMs: krond.longestSearchMs }),
  })
  return { daemon, store, messenger: opened }
}

function reportDamage(damage: StateDamage, emit: Emit, daemon: () => Daemon | undefined): void {
  if (damage.kind === 'journal') return emit(events.journalCut(damage.bytes))
  if (damage.kind === 'summary') return emit(events.summaryUnusable())
  emit(events.stateCorrupt(damage.identity, damage.aside))
  daemon()?.stateLost(damage.identity)
}

/** serve keeps the removed directory open, so only a new krond can make the next claims. */
const directoryLost = (path: string): SystemError =>
  new SystemError(`somebody has removed the runtime directory ${path}`, {
    component: 'launch',
    operation: 'launch',
    hint: 'start krond again: it makes the directory anew; or keep it where nothing cleans up (--runtime-dir)',
  })

/** Removes claims and outputs that are no longer needed, now that the state files are written. */
function removeTraces(
  { endedClaims, forgotten }: SavedState,
  processes: ShimProcesses,
  files: RunFiles,
): void {
  for (const claim of endedClaims) processes.release(claim)
  for (const executionId of forgotten) files.removeOutput(executionId)
}
