import { parseCalendar } from '../../../packages/calendar/src/parse.ts'
import { mustBeRanges } from '../ranges-promise.ts'
import { must, type Target } from '../target.ts'

export const target: Target = {
  seeds: [
    '2026-12-25\n2026-12-24..2026-12-31 # holidays\n\n',
    '2027-01-01\r\n2026-01-01..2026-01-01\r\n',
    '2026-02-29\n',
    '2026-12-31..2026-12-24\n',
  ],
  tokens: '2026-12-25 2024-02-29 0000-00-00 9999-12-31 .. # \n \r\n - 1 x'.split(/ /),
  longest: 200,
  run(text) {
    const read = parseCalendar(text, 'dates')
    if (!read.ok) return must(read.faults.length <= 20 && read.faults.length > 0, 'it names some mistakes')
    mustBeRanges(read.value)
    const again = parseCalendar(`# twice\n${text}\n${text}`, 'dates')
    must(
      again.ok && JSON.stringify(again.value) === JSON.stringify(read.value),
      'a repeated date changes nothing',
    )
  },
}
