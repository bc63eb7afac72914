import { helpText, topicText } from './help.ts'
import { type Invocation, parseCommandLine } from './parse.ts'
import type { Command } from './spec.ts'

/** The parts of a program that differ from one program to the next. */
export interface ProgramParts {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Columns of the terminal. */
  readonly width: number
  readonly version: () => string
  /** The exit code for a command line that cannot be understood. */
  readonly mistakeCode: number
  readonly run: (line: Invocation) => number | Promise<number>
}

/** Runs one command line and returns the exit code: answers help, version and mistakes, and runs a command. */
export async function runProgram(
  program: Command,
  words: readonly string[],
  { out, err, width, version, mistakeCode, run }: ProgramParts,
): Promise<number> {
  const line = parseCommandLine(program, words)
  switch (line.kind) {
    case 'version':
      out(`${version()}\n`)
      return 0
    case 'help':
      out(helpText(program, line.command, width))
      return 0
    case 'topic':
      out(topicText(program, line.topic))
      return 0
    case 'mistake':
      err(errorText(line))
      return mistakeCode
    case 'run':
      return run(line)
  }
}

/** An error as every program prints it: the message, and the hint on a line of its own. */
export const errorText = ({
  message,
  hint,
}: {
  readonly message: string
  readonly hint?: string | undefined
}): string => `error: ${message}\n${hint === undefined ? '' : `  hint: ${hint}\n`}`
