import { type KronError, ValidationError } from '@kron/core'
import { argvOf, type Entry, entryPlace } from '@kron/host'

/** Mistakes that only `--strict` refuses, although the format allows them. */
export function strictObjection(entry: Entry): KronError | undefined {
  const refuse = (message: string, hint: string): KronError =>
    new ValidationError(message, {
      component: 'configuration',
      operation: 'check strictly',
      identity: entry.identity,
      hint,
      place: entryPlace(entry),
    })
  if (!entry.shell && !argvOf(entry)[0]!.startsWith('/')) {
    return refuse(`the command of ${entry.name} is a relative path`, 'write the absolute path of the program')
  }
  if (entry.schedule.policy.deadline === 0) {
    const hint = 'write @policy(deadline=5m), so that a reboot at the wrong second does not lose the run'
    return refuse(`${entry.name} has no deadline`, hint)
  }
  return undefined
}
