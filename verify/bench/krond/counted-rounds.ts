/** If more of the processors was stolen, a round measures the neighbours instead of the contenders. */
const MOST_STOLEN = 0.03
/** With fewer quiet rounds than this, all of them count. */
const FEW = 3

/** When the last of a thousand began, and how much of the processors was stolen meanwhile. */
export interface Burst {
  readonly last: number
  readonly stolen: number
}

/** The bursts of one round, by contender. */
export type Round = ReadonlyMap<string, Burst>

/**
 * The rounds in which a contender took part, those of them that were quiet for it and for the reference beside it, and
 * those that count. Another contender that was disturbed takes no round away from this one.
 */
export function countedRounds(
  all: readonly Round[],
  name: string,
  reference: string,
): { readonly own: readonly Round[]; readonly quiet: readonly Round[]; readonly counted: readonly Round[] } {
  const own = all.filter(round => round.has(name))
  const quiet = own.filter(round => [name, reference].every(each => round.get(each)!.stolen <= MOST_STOLEN))
  return { own, quiet, counted: quiet.length < FEW ? own : quiet }
}
