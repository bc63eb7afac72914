import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { endIfUnwritable, outputWritten, visibleScreen } from '@kron/cli'
import { FAILED, runKronctl } from './main.ts'
import { Complaint } from './terminal.ts'

/** Runs kronctl with this process's files and terminal. Returns the exit code once everything is written. */
export async function kronctlProgram(words: readonly string[]): Promise<number> {
  endIfUnwritable(FAILED)
  const code = await runKronctl(
    words,
    {
      now: Math.floor(Date.now() / 1000),
      out: text => process.stdout.write(text),
      data: text => process.stdout.write(process.stdout.isTTY ? visibleScreen(text) : text),
      error: text => process.stderr.write(text),
      list: path =>
        statSync(path, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(path) : undefined,
      write: (file, text) => {
        // If the process is killed at any point, either the old or the new file exists.
        writeFileSync(`${file}.new`, text, { mode: statSync(file).mode & 0o777, flag: 'wx' })
        renameSync(`${file}.new`, file)
      },
      read: file => {
        try {
          return readFileSync(file === '-' ? 0 : file, 'utf8')
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code === 'ENOENT')
            throw new Complaint(`${file}: there is no such file or directory`)
          throw error
        }
      },
    },
    process.stdout.columns ?? 100,
  )
  await outputWritten()
  return code
}
