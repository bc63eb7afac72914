import { plural, visibleScreen } from '@kron/cli'
import type { Settings } from '../config/options.ts'
import { makeReader, printErrors, readOptions } from './start.ts'

export function validate(flags: Settings): number {
  const { entries, errors, crontabErrors, files, warnings } = makeReader(readOptions(flags)).reader.read()
  for (const message of warnings) process.stderr.write(visibleScreen(`warning: ${message}\n`))
  if (errors.length + crontabErrors.length > 0) {
    process.stderr.write(visibleScreen(printErrors([...errors, ...crontabErrors])))
    return 1
  }
  process.stdout.write(`${plural(entries.length, 'job')} in ${plural(files.length, 'file')}: valid\n`)
  return 0
}
