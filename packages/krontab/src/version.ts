import { readFileSync } from 'node:fs'
import { hostZones } from '@kron/host'

/** The version of krontab and of its time zone data, on which decisions in local time depend. */
export function versionText(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(text) as { version: string }
  const { node, icu = 'unknown' } = process.versions
  return `krontab ${version} (Node ${node}, ICU ${icu}, time zones: ${hostZones().source()})`
}
