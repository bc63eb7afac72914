import { readFileSync } from 'node:fs'

/** Set by the build of the single executable, whose modules have no place on disk. */
declare const KRON_VERSION: string | undefined

/** The version of the package that holds the module at `moduleUrl`, which must be in the top folder of sources. */
export function packageVersion(moduleUrl: string): string {
  if (typeof KRON_VERSION === 'string') return KRON_VERSION
  const manifest = readFileSync(new URL('../package.json', moduleUrl), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}

/** The answer to --version. Decisions in local time depend on the source of the time zone rules. */
export function versionText(program: string, version: string, zones: string): string {
  const { node, icu = 'unknown' } = process.versions
  return `${program} ${version} (Node ${node}, ICU ${icu}, time zones: ${zones})`
}
