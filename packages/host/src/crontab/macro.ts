const MACROS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
  '@every_minute': '* * * * *',
}

/** The five fields that a macro of a crontab stands for; cron knows its macros in lower case only. */
export const expandMacro = (word: string): string | undefined => MACROS[word]

export const isReboot = (word: string): boolean => word === '@reboot'
