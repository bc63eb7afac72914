/** The kinds of injected faults. */
export const SCHEDULER_FAULTS = [
  'crashBetweenSteps',
  'crashBeforeStep',
  'crashAfterStep',
  'powerCut',
  'powerCutBeforeLoad',
  'lostName',
  'tornWrite',
  'reorderedWrite',
  'storeFails',
  'storeAnswerLost',
  'storeSlow',
  'callbackFails',
  'callbackSlow',
  'clockForward',
  'clockBackward',
  'registration',
  'invalidList',
  'secondInitialize',
  'stop',
] as const

export type SchedulerFault = (typeof SCHEDULER_FAULTS)[number]

/** The numbers of a campaign. */
export interface SchedulerTally {
  seconds: number
  executions: number
  crashes: number
  readonly faults: Record<SchedulerFault, number>
}

export const noTally = (): SchedulerTally => ({
  seconds: 0,
  executions: 0,
  crashes: 0,
  faults: Object.fromEntries(SCHEDULER_FAULTS.map(kind => [kind, 0])) as Record<SchedulerFault, number>,
})
