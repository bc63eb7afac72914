import { parseCalendar } from '../../../packages/calendar/src/parse.ts'
import { SHAPES } from '../../calendars/shapes.ts'
import { mustBeRanges } from '../ranges-promise.ts'
import { must, type Target } from '../target.ts'

export const target: Target = {
  seeds: Object.values(SHAPES).slice(0, 40),
  tokens:
    'BEGIN:VCALENDAR END:VCALENDAR BEGIN:VEVENT END:VEVENT BEGIN:VTIMEZONE END:VTIMEZONE \\r\\n DTSTART: DTSTART;VALUE=DATE: DTSTART;TZID=Europe/Paris: DTEND: DURATION:PT1H 20260301 20260301T120000Z 20260301T120000 RRULE:FREQ=YEARLY FREQ=SECONDLY ;COUNT=3 ;UNTIL=20300101 ;BYDAY=-1SU ;BYSETPOS=-1 ;INTERVAL=0 ;WKST=SU EXDATE: RDATE: RECURRENCE-ID: STATUS:CANCELLED UID:1 : ; = ,'
      .split(/ /)
      .map(token => token.replaceAll('\\r\\n', '\r\n')),
  longest: 400,
  run(text) {
    const read = parseCalendar(text, 'ics')
    if (read.ok) mustBeRanges(read.value)
    else must(read.faults.length > 0 && read.faults.every(each => each.message !== ''), 'a refusal says why')
  },
}
