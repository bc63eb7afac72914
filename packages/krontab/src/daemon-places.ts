import { dirname, resolve } from 'node:path'
import { configDirectory, readConf, stateDirectory } from '@kron/host'
import type { Host } from './host.ts'

type PlaceSetting = 'config' | 'state-dir' | 'runtime-dir'

/** The value of krond's own setting: its environment variable, else its configuration file. */
function settingOf({ env, confFile }: Host, name: PlaceSetting): string | undefined {
  return env[`KROND_${name.replaceAll('-', '_').toUpperCase()}`] || readConf(confFile)[name]
}

/** The files and directories from which krond reads its jobs. */
export function configPaths(host: Host): readonly string[] {
  return settingOf(host, 'config')?.split(':') ?? [configDirectory(host)]
}

/** Whether the file is one of those that krond reads on this host. */
export const isReadByKrond = (host: Host, path: string): boolean =>
  configPaths(host).some(each => [path, dirname(path)].includes(resolve(host.cwd, each)))

/** The directory for new job files: the first one that krond reads. */
export const firstConfigDirectory = (host: Host): string => configPaths(host)[0]!

/** The directory where krond keeps its state. */
export const daemonStateDirectory = (host: Host): string =>
  settingOf(host, 'state-dir') ?? stateDirectory(host)

/** The directory of krond's control socket, if it is not the usual one. */
export const daemonRuntimeDirectory = (host: Host): string | undefined => settingOf(host, 'runtime-dir')
