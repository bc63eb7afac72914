import { packageVersion, versionText } from '@kron/cli'

/** The version of the package, and the source of the time zone rules. */
export const versionOf = (program: 'kronctl' | 'kron-operator'): string =>
  versionText(program, packageVersion(import.meta.url), process.versions['tz'] ?? 'of the system')
