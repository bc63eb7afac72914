import { type CampaignTally, emptyTally } from '../../campaign-tally.ts'

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

export type Tally = CampaignTally<FaultKind>

export const noTally = (): Tally => emptyTally(FAULTS)
