/** The number of jobs that start in every minute, spread over it. */
const EVERY_MINUTE = 600

export const busyJobs = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => {
    const cron = i < EVERY_MINUTE ? '* * * * *' : `${i % 60} ${i % 24} * * *`
    return `${cron} @win(after,55s) @policy(deadline=30s) name=${jobName(i)} command=/bin/true`
  })

export const jobName = (index: number): string => `job-${String(index).padStart(6, '0')}`
