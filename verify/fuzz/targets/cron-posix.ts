import { cronTarget } from '../cron-promises.ts'

export const target = cronTarget('posix')
