import { caret, type Fault } from '@kron/core'
import { must } from './target.ts'

const CONTROL = /[^\P{Cc}\n]/u

/** A refusal says where in the text the mistake is, and why. */
export function mustLieInside(text: string, faults: readonly Fault[]): void {
  must(faults.length > 0, 'a refusal has a reason')
  for (const fault of faults) {
    must(fault.at >= 0 && fault.length >= 0, 'a fault has a place')
    must(fault.at + fault.length <= text.length, 'a fault lies inside the text')
    must(fault.message !== '' && fault.message.length < 1_000, 'a fault has a message of a bearable length')
  }
  const { at, length } = faults[0]!
  const shown = caret({ column: at + 1, length, source: text })
  must(!CONTROL.test(shown), 'no control character reaches a terminal')
}
