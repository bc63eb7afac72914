import { calendarOf } from '../constraint/calendar.ts'
import { type Clause, parseClause } from '../constraint/clause.ts'
import { type Constraints, MOST_CLAUSES } from '../constraint/constraints.ts'
import { type Argument, type Faults, splitArguments } from './argument.ts'

export interface SidedClause {
  readonly side: 'only' | 'avoid'
  readonly clause: Clause
}

/** The clauses inside one `@only(…)` or `@avoid(…)`. */
export function readClauses(side: 'only' | 'avoid', inside: Argument, faults: Faults): SidedClause[] {
  const clauses: SidedClause[] = []
  for (const piece of splitArguments(inside, ';')) {
    const clause = faults.take(piece, parseClause(piece.text))
    if (clause !== undefined) clauses.push({ side, clause })
  }
  return clauses
}

/** All clauses of a job, of however many modifiers; too many are reported at `last`. */
export function mergeClauses(
  clauses: readonly SidedClause[],
  last: Argument,
  faults: Faults,
): Constraints | undefined {
  if (clauses.length > MOST_CLAUSES) {
    const message = `${clauses.length} constraint clauses are more than ${MOST_CLAUSES}`
    return faults.meaning(last, message, 'join values of one kind: hours=1,3 instead of two clauses')
  }
  const of = (side: 'only' | 'avoid') => clauses.filter(each => each.side === side).map(each => each.clause)
  const only = of('only')
  const avoid = of('avoid')
  return {
    ...(only.length > 0 ? { only: calendarOf(only) } : {}),
    ...(avoid.length > 0 ? { avoid: calendarOf(avoid) } : {}),
  }
}
