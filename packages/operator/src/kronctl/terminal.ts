/** The input and output of a command, so that tests need no process. */
export interface Terminal {
  readonly now: number
  out(text: string): void
  /** Writes a file to standard output, unchanged unless standard output is a terminal. */
  data(text: string): void
  error(text: string): void
  /** The text of a file, or of standard input for `-`. */
  read(file: string): string
  /** Replaces the content of a file. */
  write?(file: string, text: string): void
  /** The names in a directory. Undefined if the path is not a directory. */
  list?(directory: string): string[] | undefined
}

/** A mistake of the caller, printed in one line with exit code 1. */
export class Complaint extends Error {
  override readonly name = 'Complaint'
}
