export { type CalendarKind, parseCalendar } from './parse.ts'
