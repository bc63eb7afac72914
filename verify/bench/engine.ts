import { measureCalendar } from './engine/calendar.ts'
import { measureDecisions } from './engine/decisions.ts'
import { measureMemory } from './engine/memory.ts'
import { measureNext } from './engine/next.ts'
import { measureParsing } from './engine/parsing.ts'
import { measureZones } from './engine/zones.ts'

/** The pure engine beside cron libraries, and its decisions beside the hash they need. */
export default async function run(): Promise<void> {
  await measureNext()
  measureZones()
  await measureParsing()
  measureDecisions()
  await measureCalendar()
  measureMemory()
}
