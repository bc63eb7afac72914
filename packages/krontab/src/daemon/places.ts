import { dirname, resolve } from 'node:path'
import { configDirectory, readConf, stateDirectory } from '@kron/host'
import type { CommandContext } from '../context/command-context.ts'

type PlaceSetting = 'config' | 'state-dir' | 'runtime-dir'

/** The value of krond's own setting: its environment variable, else its configuration file. */
function settingOf({ env, confFile }: CommandContext, name: PlaceSetting): string | undefined {
  return env[`KROND_${name.replaceAll('-', '_').toUpperCase()}`] || readConf(confFile)[name]
}

/** The files and directories from which krond reads its jobs. */
export function configPaths(context: CommandContext): readonly string[] {
  return settingOf(context, 'config')?.split(':') ?? [configDirectory(context)]
}

/** Whether the file is one of those that krond reads on this host. */
export const isReadByKrond = (context: CommandContext, path: string): boolean =>
  configPaths(context).some(each => [path, dirname(path)].includes(resolve(context.cwd, each)))

/** The directory for new job files: the first one that krond reads. */
export const firstConfigDirectory = (context: CommandContext): string => configPaths(context)[0]!

/** The directory where krond keeps its state. */
export const daemonStateDirectory = (context: CommandContext): string =>
  settingOf(context, 'state-dir') ?? stateDirectory(context)

/** The directory of krond's control socket, if it is not the usual one. */
export const daemonRuntimeDirectory = (context: CommandContext): string | undefined =>
  settingOf(context, 'runtime-dir')
