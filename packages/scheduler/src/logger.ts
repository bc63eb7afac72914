/** Where the scheduler writes; `console` fits. */
export interface Logger {
  debug(message: string, data?: object): void
  info(message: string, data?: object): void
  warn(message: string, data?: object): void
  error(message: string, data?: object): void
}

const quiet = () => {}

/** Only what somebody should look at. */
export const warningsToConsole: Logger = {
  debug: quiet,
  info: quiet,
  warn: (message, data) => console.warn(message, data),
  error: (message, data) => console.error(message, data),
}
