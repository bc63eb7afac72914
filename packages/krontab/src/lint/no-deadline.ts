import type { ScheduleRule } from './finding.ts'

/** Without a deadline, a run is lost if the machine is down in its second. */
export const noDeadline: ScheduleRule = ({ policy }) => {
  if (policy.deadline > 0 || policy.suspend) return undefined
  return {
    part: 'policy',
    message: 'the deadline is 0s: a reboot or a busy machine at the wrong second loses the run',
    hint: 'add @policy(deadline=10m), or as long as a late start is still of use',
  }
}
