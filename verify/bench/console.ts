/** The API beside /healthz, the schedule while it is looked at, and the console in a browser, with 10,000 jobs. */
import { existsSync } from 'node:fs'
import { Krond } from '../../packages/console/e2e/krond.test-support.ts'
import { measureApi } from './console/api.ts'
import { measureHolds } from './console/holds.ts'
import { busyJobs } from './console/jobs.ts'
import { measureLateness } from './console/lateness.ts'
import { pause } from './console/load.ts'
import { measurePage } from './console/page.ts'

const JOBS = 10_000

export default async function run(): Promise<void> {
  await measureHolds([JOBS, 100_000])
  const krond = new Krond(busyJobs(JOBS))
  await krond.start()
  // A first start writes 10,000 state files, which is no part of what is measured here.
  await pause(15_000)
  try {
    await measureApi(krond)
    await measureLateness(krond)
    if (existsSync(process.env['KRON_CHROMIUM'] ?? '/usr/bin/chromium')) await measurePage(krond, JOBS)
    else console.log('page: no Chromium here; npm run verify -- browser installs one')
  } finally {
    await krond.remove()
  }
}
