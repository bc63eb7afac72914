/** Beside the commands, so that it is bundled apart and loaded only where there are calendars. */
export { parseCalendar } from '@kron/calendar'
