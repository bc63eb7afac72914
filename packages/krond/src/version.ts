import { packageVersion } from '@kron/cli'

export const VERSION = packageVersion(import.meta.url)
