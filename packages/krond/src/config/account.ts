import type { Account } from '@kron/host'

/** The user this process runs as. */
export const account = (): Account => ({ uid: process.getuid?.() ?? 0, env: process.env })
