/** Records of earlier code, by their names in `archive/`. They prove nothing about the present code. */
export const ARCHIVE = [
  [
    'simulation-5818939',
    'Simulation of krond, before the repairs that a review led to (its one violation, seed 969347, was an error of the witness)',
  ],
  [
    'simulation-e57c81a',
    'Simulation of krond, while the last defect that it found, and its witness, were repaired',
  ],
  ['simulation-16f91f2', 'Simulation, before that'],
  ['torture-16f91f2', 'Real processes and databases, before that'],
  ['fuzz-95d5ec5', 'Fuzzing, before its finding in calendars was repaired'],
  [
    'simulation-e65c24c',
    "Simulation, before krond's knowledge of its clock got one owner (its one violation was an error of the witness)",
  ],
  ['torture-8d7591d', 'Real processes, before that'],
  ['simulation-5a9e014', 'Simulation of krond, before the repairs that a review led to'],
  ['simulation-3fe0e48', 'Simulation of the scheduler, before its starts became cheaper'],
  ['torture-3fe0e48', 'Real processes and databases, before the repairs that a review led to'],
  ['fuzz-9ed3263', 'Fuzzing, before its words for schedules were corrected'],
  [
    'simulation-6b1a51d',
    'Simulation of the scheduler, before two repairs (seed 2531, a violation and a duplicate, was an error of the witness)',
  ],
  ['simulation-98d7186', 'Simulation, before the repairs that followed'],
  [
    'simulation-9b1c519',
    'Simulation of krond, before two repairs (its one violation, seed 8740, was an error of the harness)',
  ],
  ['fuzz-6b1a51d', 'Fuzzing, before its two findings were repaired'],
  ['simulation-before-prepared-starts', 'Simulation of krond, before starts were prepared'],
  ['simulation-before-shim', 'Simulation, before `kron-shim`'],
  ['torture-before-shim', 'Real processes, disks and databases, before `kron-shim`'],
  ['fuzz-before-shim', 'Fuzzing, before `kron-shim`'],
] as const
