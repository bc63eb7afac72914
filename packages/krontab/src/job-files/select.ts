import { didYouMean } from '@kron/core'
import type { Entry } from '@kron/host'
import { NOT_FOUND, Refusal } from '../context/refusal.ts'

/** The one entry with this name or identity. */
export function selectEntry(entries: readonly Entry[], job: string, code = NOT_FOUND): Entry {
  const found = entries.filter(entry => entry.identity === job || entry.name === job)
  if (found.length === 1) return found[0]!
  if (found.length > 1) {
    const choices = found.map(entry => `\n  ${entry.identity}`).join('')
    throw new Refusal(code, `several jobs are called ${job}`, `name one of them in full:${choices}`)
  }
  const names = entries.map(entry => entry.name)
  const hint = didYouMean(job, names) ?? 'krontab list shows the jobs'
  throw new Refusal(code, `there is no job ${JSON.stringify(job)}`, hint)
}
