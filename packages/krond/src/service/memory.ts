import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/** Heap growth that is not worth a collection; less just after loading, because an idle daemon would keep it. */
const SLACK = 16 << 20
const FIRST_SLACK = 1 << 20

let collect: Collect | undefined
/** Bytes of the heap after the last collection. */
let collectedBytes = 0
let justLoaded = false
let timer: NodeJS.Timeout | undefined

/**
 * Frees the garbage of loading, which is several times the size of the live data, and which an idle daemon would keep.
 * It waits until the functions that loaded have returned, and for a moment between two seconds, when no start is due.
 */
export function releaseMemorySoon(): void {
  clearTimeout(timer)
  timer = setTimeout(releaseMemory, 2_200 - (Date.now() % 1_000))
  timer.unref()
}

function releaseMemory(): void {
  collect ??= exposedCollect()
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  trim()
  collectedBytes = getHeapStatistics().total_heap_size
  justLoaded = true
}

/**
 * glibc returns freed memory between blocks in use only if it is told to. Node's FFI is experimental: a Node without it, or
 * with another one, keeps that memory, and so does another libc.
 */
function trim(): void {
  try {
    const symbols = { malloc_trim: { arguments: ['u64'], return: 'i32' } } as const
    process.getBuiltinModule('node:ffi').dlopen(null, symbols).functions.malloc_trim(0n)
  } catch {}
}

/** Called in quiet moments: V8 is told not to wake up for this by itself. */
export function releaseGrownMemory(): void {
  const size = getHeapStatistics().total_heap_size
  if (collectedBytes === 0) collectedBytes = size
  const most = justLoaded ? collectedBytes + FIRST_SLACK : collectedBytes * 1.5 + SLACK
  if (size > most) releaseMemory()
  justLoaded = false
}

function exposedCollect(): Collect {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Collect
}
