import { type CampaignTally, emptyTally } from '../../campaign-tally.ts'

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

export type SchedulerTally = CampaignTally<SchedulerFault>

export const noTally = (): SchedulerTally => emptyTally(SCHEDULER_FAULTS)
