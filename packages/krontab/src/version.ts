import { packageVersion, versionText } from '@kron/cli'
import { hostZones } from '@kron/host'

/** The version of krontab and of its time zone data, on which decisions in local time depend. */
export const versionOf = (program: 'krontab' | 'crontab'): string =>
  versionText(program, packageVersion(import.meta.url), hostZones().source())
