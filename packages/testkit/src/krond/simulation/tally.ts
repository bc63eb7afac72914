/** The kinds of injected faults. */
export const FAULTS = [
  'crashBetweenSteps',
  'crashBeforeStep',
  'crashAfterStep',
  'crashWhileStarting',
  'powerCut',
  'reboot',
  'lostName',
  'tornWrite',
  'reorderedWrite',
  'enospc',
  'eio',
  'corruptState',
  'startRefused',
  'startLost',
  'shimKilled',
  'serveKilled',
  'requestLost',
  'answerLost',
  'messageDelayed',
  'messageDoubled',
  'hang',
  'survivesKill',
  'outlivesDaemon',
  'pidReused',
  'clockForward',
  'clockBackward',
  'suspend',
  'dstNearby',
  'reload',
  'reloadRefused',
  'editWhileDown',
  'jobSuspended',
  'orderlyStop',
  'summary',
] as const

export type FaultKind = (typeof FAULTS)[number]

/** The numbers of a campaign. */
export interface Tally {
  seconds: number
  executions: number
  crashes: number
  readonly faults: Record<FaultKind, number>
}

export const noTally = (): Tally => ({
  seconds: 0,
  executions: 0,
  crashes: 0,
  faults: Object.fromEntries(FAULTS.map(kind => [kind, 0])) as Record<FaultKind, number>,
})
