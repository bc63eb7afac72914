/** Histories of a year in which something was once wrong, and what it was. */
export const PERMANENT_SEEDS = [
  {
    seed: 12,
    found:
      'a power cut took the journal that a killed daemon had renamed into place and a second one had gone on with',
  },
  { seed: 28, found: 'the same, and the watermark of a job fell' },
  { seed: 84, found: 'the same, and an outcome that had been announced was forgotten' },
] as const
