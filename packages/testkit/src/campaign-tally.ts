/** The numbers of a campaign of simulated histories. */
export interface CampaignTally<Fault extends string> {
  seconds: number
  executions: number
  crashes: number
  readonly faults: Record<Fault, number>
}

export const emptyTally = <Fault extends string>(faults: readonly Fault[]): CampaignTally<Fault> => ({
  seconds: 0,
  executions: 0,
  crashes: 0,
  faults: Object.fromEntries(faults.map(kind => [kind, 0])) as Record<Fault, number>,
})
