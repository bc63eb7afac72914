/** Attacks one parser in a thread of its own, which the watchdog may end. */
import { parentPort, workerData } from 'node:worker_threads'
import { Blackboard } from './blackboard.ts'
import { explore } from './explore.ts'
import { Branches, instrumentPackages } from './instrument.ts'
import { Random } from './random.ts'
import type { Target } from './target.ts'
import type { Assignment, Message } from './watch.ts'

const { module, known, seed, time, most, memory } = workerData as Assignment
const tell = (message: Message): void => parentPort!.postMessage(message)

const branches = new Branches()
instrumentPackages(branches)
const { target } = (await import(module)) as { target: Target }
const end = await explore({
  target,
  branches,
  blackboard: new Blackboard(memory),
  random: new Random(seed),
  known,
  time,
  most,
  onCrash: crash => tell({ kind: 'crash', ...crash }),
  onProgress: progress => tell({ kind: 'progress', progress }),
})
tell({ kind: 'end', progress: end })
process.exit()
