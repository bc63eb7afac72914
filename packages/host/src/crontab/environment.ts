import type { UserAccount } from '../account/accounts.ts'
import type { CrontabMail } from './entry.ts'

/** Variables that a crontab has set above a line, in the order of their lines. */
export type CrontabVariables = Readonly<Record<string, string>>

const SHELL = '/bin/sh'
const PATH = '/usr/bin:/bin'

/** The whole environment that cron gives to a command; a crontab can change all of it but LOGNAME. */
export const environmentOf = (
  { name, home }: UserAccount,
  given: CrontabVariables,
): Record<string, string> => ({
  SHELL,
  PATH,
  HOME: home,
  ...given,
  LOGNAME: name,
  USER: given['USER'] ?? name,
})

/** The address to which cron mails the output of a line: none if MAILTO is empty, the user if it is unset. */
export function mailOf({ name }: UserAccount, given: CrontabVariables): CrontabMail | null {
  const to = given['MAILTO'] ?? name
  if (to.trim() === '') return null
  return {
    to,
    from: given['MAILFROM'] || undefined,
    contentType: given['CONTENT_TYPE'],
    transferEncoding: given['CONTENT_TRANSFER_ENCODING'],
  }
}
