import type { LiveSource } from '@kron/host'

/** Cron looks once a minute; a change should be in force before the next minute begins. */
const LOOK_EVERY_MS = 5_000

/** Calls back after a crontab has appeared, changed or gone. */
export function watchCrontabs(
  reader: Pick<LiveSource, 'hasSources' | 'fingerprint'>,
  changed: () => unknown,
): NodeJS.Timeout | undefined {
  if (!reader.hasSources) return undefined
  let known = reader.fingerprint()
  return setInterval(() => {
    const found = reader.fingerprint()
    if (found === known) return
    known = found
    changed()
  }, LOOK_EVERY_MS).unref()
}
