/** Histories of a year that once showed an error, and the error. */
export const PERMANENT_SEEDS = [
  {
    seed: 2531,
    found:
      'no error of the scheduler: the clock was set back by 20 hours twice before a run ended, and the witness took the minute that came again for the one that the run had served',
  },
  {
    seed: 41737,
    found:
      'no error of the scheduler: a process died before it could store that the clock was set back, and the witness took it for stored',
  },
  {
    seed: 70660,
    found:
      'a task that never ran lost the minute after the one in which it was first seen, because its schedule was changed twice',
  },
  {
    seed: 100352,
    found:
      'no error of the scheduler: the clock was set back before the end of a failed run was stored, and the simulation slept through its retry',
  },
] as const
