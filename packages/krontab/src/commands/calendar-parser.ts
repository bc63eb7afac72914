/** A module of its own among the commands, so that it is bundled separately and loaded only if calendars exist. */
export { parseCalendar } from '@kron/calendar'
