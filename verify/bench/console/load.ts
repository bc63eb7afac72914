import { type Agent, request } from 'node:http'
import type { Krond } from '../../../packages/console/e2e/krond.test-support.ts'
import { jobName } from './jobs.ts'

export const PATHS: readonly string[] = [
  '/healthz',
  '/api/v1/status',
  '/api/v1/jobs?limit=100',
  '/api/v1/jobs?limit=1000',
  '/api/v1/jobs?q=99',
  '/api/v1/plan?count=100',
  '/api/v1/history?limit=100',
  '/api/v1/history?limit=2000',
  '/api/v1/running',
  '/metrics',
  '/api/v1/forecast?for=24h&bucket=5m',
]

/** The console's requests when 16 rows come into view. */
export function historyOfRows(jobFile: string): string {
  const search = new URLSearchParams(
    Array.from({ length: 16 }, (_, i) => ['job', `${jobFile}:${jobName(i)}`] as [string, string]),
  )
  return `/api/v1/history?limit=2000&${search}`
}

export const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** Milliseconds from the request to the last byte. */
export function timed(krond: Krond, path: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const begun = performance.now()
    request(new URL(path, krond.url), { agent }, response => {
      response.resume()
      response.on('end', () => resolve(performance.now() - begun))
    })
      .on('error', reject)
      .end()
  })
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
