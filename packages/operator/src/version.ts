import { readFileSync } from 'node:fs'

/** The version of the package, and the source of the time zone rules. */
export function versionLine(program: string): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return `${program} ${version} (Node ${process.versions.node}, time zones ${process.versions['tz'] ?? 'of the system'})`
}
