import type { Adversary } from '../adversary.ts'
import { clock } from './clock.ts'
import { edits } from './edits.ts'
import { faketime } from './faketime.ts'
import { fullDisk } from './full-disk.ts'
import { hostile } from './hostile.ts'
import { kill } from './kill.ts'
import { killAny } from './kill-any.ts'
import { limits } from './limits.ts'
import { readOnly } from './read-only.ts'
import { stop } from './stop.ts'
import { twins } from './twins.ts'

export const ADVERSARIES: readonly Adversary[] = [
  kill,
  killAny,
  stop,
  fullDisk,
  readOnly,
  limits,
  clock,
  faketime,
  edits,
  twins,
  hostile,
]
