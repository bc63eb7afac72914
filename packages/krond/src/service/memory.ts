import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/** Growth that is not worth a pause; soon after loading little is, because it would stay for as long as nothing happens. */
const SLACK = 16 << 20
const FIRST_SLACK = 1 << 20

let collect: Collect | undefined
/** Bytes of the heap when it was last looked after. */
let settled = 0
let justLoaded = false

/** Gives back what loading left behind: several times the size of what stays, and an idle daemon would keep it. */
export function releaseMemory(): void {
  collect ??= exposedCollect()
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  settled = getHeapStatistics().total_heap_size
  justLoaded = true
}

/** For a quiet moment: V8 is told not to wake for this by itself. */
export function releaseGrownMemory(): void {
  const size = getHeapStatistics().total_heap_size
  if (settled === 0) settled = size
  const most = justLoaded ? settled + FIRST_SLACK : settled * 1.5 + SLACK
  if (size > most) releaseMemory()
  justLoaded = false
}

function exposedCollect(): Collect {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Collect
}
