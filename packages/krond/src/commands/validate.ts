import { visibleScreen } from '@kron/cli'
import type { Settings } from '../config/options.ts'
import { makeReader, printErrors, readOptions } from './start.ts'

export function validate(flags: Settings): number {
  const { entries, errors, crontabErrors, files } = makeReader(readOptions(flags)).reader.read()
  if (errors.length + crontabErrors.length > 0) {
    process.stderr.write(visibleScreen(printErrors([...errors, ...crontabErrors])))
    return 1
  }
  process.stdout.write(`${entries.length} jobs in ${files.length} files: valid\n`)
  return 0
}
