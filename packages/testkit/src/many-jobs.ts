const ZONES = ['Europe/Paris', 'America/New_York', 'UTC', 'Asia/Kolkata']
const SHAPES = ['uniform', 'normal', 'skewEarly', 'exponential,lambda=2']

/** A job file in which every job runs once a day, or on one day of the week, on the hour, spread over one to six hours. */
export function manyJobs(count: number, weekday: number | '*' = '*'): string {
  const lines: string[] = []
  for (let i = 0; i < count; i++) {
    const deadline = i % 1_000 === 0 ? '' : ` @policy(deadline=${1 + (i % 30)}m)`
    const when = `0 ${[4, 5, 10, 22][i % 4]} * * ${weekday}`
    const how = `@tz(${ZONES[i % 4]}) @win(after,${1 + (i % 6)}h) @dist(${SHAPES[(i >> 2) % 4]})${deadline}`
    lines.push(`${when} ${how} name=team-${i % 97}/job-${i} command="/usr/local/bin/task --number ${i}"\n`)
  }
  return lines.join('')
}
