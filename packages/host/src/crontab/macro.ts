import { CRON_MACROS } from '@kron/core'

/** The five fields that a macro of a crontab stands for; cron knows its macros in lower case only. */
export const expandMacro = (word: string): string | undefined =>
  word === '@every_minute' ? '* * * * *' : CRON_MACROS.get(word)

export const isReboot = (word: string): boolean => word === '@reboot'
