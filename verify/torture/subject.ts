/** The actions on a subject and their results, by name. */
export type Figures = Readonly<Record<string, number>>

export interface Defeat {
  /** The violations, with the seed and the place of the evidence. */
  readonly what: string
}

/** The inputs of a subject: chance, a directory, and the signal to stop. */
export interface Setting {
  readonly only: readonly string[]
  readonly seed: string
  readonly rounds: number
  readonly lanes: number
  readonly kills: number
  readonly directory: string
  /** Whether time is up, or the campaign was told to end. */
  readonly isOver: () => boolean
  /** Called now and then with all figures so far. */
  readonly onProgress: (figures: Figures) => void
  /** Called with the figures of a part that is finished and checked. */
  readonly onPart: (figures: Figures) => void
}

/** Something that promises to keep its head: krond, or a scheduler with a store. */
export interface Subject {
  /** Its name on the command line, and in the record. */
  readonly name: string
  readonly key: string
  /** Names with which parts of it can be chosen. */
  readonly parts: readonly string[]
  /** Whether it takes part when nothing is named. */
  readonly byDefault: boolean
  readonly obstacle: () => string | undefined
  readonly run: (setting: Setting) => Promise<readonly Defeat[]>
}
