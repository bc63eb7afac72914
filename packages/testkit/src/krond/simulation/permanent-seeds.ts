/** Histories of a year that once showed an error, and the error. */
export const PERMANENT_SEEDS = [
  {
    seed: 3,
    found:
      'a power cut took a journal that a killed daemon had renamed into place and a second one had gone on with',
  },
  { seed: 31, found: 'the same, and an outcome that had been reported was forgotten' },
  { seed: 43, found: 'the same, and a destroyed state file was back that had been made good' },
  {
    seed: 478,
    found: 'the machine slept while a replacement waited for the old one: it started beyond its deadline',
  },
  {
    seed: 7409,
    found: 'the clock went back and forth between two looks at it, around a reload: a backlog was replayed',
  },
  {
    seed: 172,
    found:
      'the clock went back while a start waited for an execution to end: the job was never looked at again',
  },
  {
    seed: 5912,
    found: 'a state file was destroyed after a start was prepared: the intent in the journal got no outcome',
  },
  { seed: 6704, found: 'the same, and the intent hid the run that came after it' },
  {
    seed: 5940,
    found:
      'no error of krond: a killed process that took seconds to end was taken for one that nobody had killed',
  },
  {
    seed: 8740,
    found:
      'no error of krond: the simulated serve outlived a krond that died during a reload, and began a held start',
  },
  {
    seed: 50360,
    found:
      'no error of krond: the witness read outcomes from the kept history, so two lives of one seed had other faults',
  },
  {
    seed: 506211,
    found:
      'no error of krond: a start was taken back too late by a reload, and the witness judged it by the new schedule',
  },
  {
    seed: 940234,
    found: 'the clock went back after it was ahead: all periods that became open again and were late started',
  },
  {
    seed: 954580,
    found:
      'no error of krond: a stop took a start back too late, and the witness judged it by the schedule before the last change',
  },
  {
    seed: 969347,
    found:
      'no error of krond: a power cut took a record that a killed daemon had not synced, before the next one had started',
  },
] as const
