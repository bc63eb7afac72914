/** Where a command reads and writes, so that tests need no process. */
export interface Terminal {
  readonly now: number
  out(text: string): void
  /** Writes a file to standard output: byte for byte, unless that is a terminal. */
  data(text: string): void
  error(text: string): void
  /** The text of a file, or of standard input for `-`. */
  read(file: string): string
  /** Puts a text in the place of a file. */
  write?(file: string, text: string): void
  /** The names in a directory; undefined if it is none. */
  list?(directory: string): string[] | undefined
}

/** A mistake of the caller: said in one line, exit code 1. */
export class Complaint extends Error {
  override readonly name = 'Complaint'
}
