/** Runs the words of a command line, and tells the exit code. */
export type Program = (words: readonly string[]) => Promise<number>

/** What each text of the executable exports. */
export interface ProgramText {
  readonly programs: Readonly<Record<string, Program>>
}
