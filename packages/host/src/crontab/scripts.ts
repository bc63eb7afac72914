import { accessSync, constants, readdirSync, statSync } from 'node:fs'

/** One of the commands that a crontab line is turned into. */
export interface Script {
  /** Undefined: the line has no other name than its own. */
  readonly name: string | undefined
  readonly command: string
}

const RUN_PARTS =
  /(?:\S*\/)?run-parts(?:\s+-\S+)*\s+(\/[^\s;)}]*\/cron\.(hourly|daily|weekly|monthly))\/?(?=[\s;)}]|$)/

/** The file names that cron and run-parts accept; they skip others, such as backups of a package manager. */
export const isRunPartsName = (name: string): boolean => /^[A-Za-z0-9_-]+$/.test(name)

/** A run-parts line as one command per script, each in place of `run-parts DIRECTORY`; undefined for other lines. */
export function scriptsOf(
  command: string,
  listScripts: (directory: string) => readonly string[],
): readonly Script[] | undefined {
  const match = RUN_PARTS.exec(command)
  if (match === null) return undefined
  const [found, directory, frequency] = match as unknown as [string, string, string]
  return listScripts(directory).map(script => ({
    name: `${frequency}/${script.toLowerCase().replaceAll('_', '-')}`,
    command: command.replace(found, () => `${directory}/${script}`),
  }))
}

/** The scripts that run-parts would run in a directory, in its order. */
export function listScripts(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
      .filter(name => isRunPartsName(name) && isExecutable(`${directory}/${name}`))
      .sort()
  } catch {
    return []
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
