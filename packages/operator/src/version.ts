import { readFileSync } from 'node:fs'

/** The package's version, and where the time zone rules come from. */
export function versionLine(program: string): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return `${program} ${version} (Node ${process.versions.node}, time zones ${process.versions['tz'] ?? 'of the system'})`
}
