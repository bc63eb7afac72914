import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { returnFreeMemory } from '@kron/runtime'

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/** Gives back what loading left behind: several times the size of what stays, and an idle daemon would keep it. */
export function releaseMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  returnFreeMemory()
}
