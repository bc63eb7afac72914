import { readFileSync } from 'node:fs'

const STEAL = 7

/** Tells how much of the processors a hypervisor gave to others meanwhile: what no program on this machine is to blame for. */
export class StealWatch {
  private before = times()

  /** The share since the last look, from 0 to 1; 0 where the system does not tell. */
  look(): number {
    const now = times()
    const passed = now.map((each, i) => each - this.before[i]!)
    this.before = now
    const all = passed.reduce((sum, each) => sum + each, 0)
    return all === 0 ? 0 : passed[STEAL]! / all
  }
}

/** User, nice, system, idle, waiting, interrupts of two kinds, stolen; in ticks of all processors. */
function times(): number[] {
  try {
    return readFileSync('/proc/stat', 'latin1').split('\n')[0]!.trim().split(/\s+/).slice(1, 9).map(Number)
  } catch {
    return Array(8).fill(0)
  }
}
