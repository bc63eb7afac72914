import { errorText } from './program.ts'

/** Ends the process if what it prints cannot be written: quietly behind a closed pipe (`| head`), else with one line and `exitCode`. */
export function endIfUnwritable(streams: readonly NodeJS.WriteStream[], exitCode: number): void {
  const end = (error: NodeJS.ErrnoException): never => {
    if (error.code === 'EPIPE') process.exit(0)
    process.stderr.write(errorText({ message: `cannot write the output: ${error.message}` }))
    process.exit(exitCode)
  }
  for (const stream of streams) stream.on('error', end)
}
