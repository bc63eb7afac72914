import { type ParseArgsConfig, parseArgs } from 'node:util'

/**
 * The words of a script's command line; `--help` prints the usage, and what cannot be read ends with it. A word without
 * `--` is a mistake unless the script takes words: a forgotten option would make it run everything.
 */
export function commandLine<T extends NonNullable<ParseArgsConfig['options']>>(
  usage: string,
  options: T,
  { takesWords = false } = {},
) {
  try {
    const read = parseArgs({
      allowPositionals: takesWords,
      options: { ...options, help: { type: 'boolean', short: 'h' } as const },
    })
    if (!(read.values as { help?: boolean }).help) return read
    process.stdout.write(usage)
    return process.exit(0)
  } catch (error) {
    console.error(`error: ${(error as Error).message}\n\n${usage}`)
    return process.exit(2)
  }
}
