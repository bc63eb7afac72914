/**
 * Where the scheduler writes. It is called as pino is, the data first: `logger.warn({ type, taskName, … }, 'TaskRunFailed')`.
 * A pino logger and `console` fit as they are; errors are under `err` too, where pino looks for them.
 */
export interface Logger {
  debug(data: object, message: string): void
  info(data: object, message: string): void
  warn(data: object, message: string): void
  error(data: object, message: string): void
}

const quiet = () => {}

/** Only what somebody should look at. */
export const warningsToConsole: Logger = {
  debug: quiet,
  info: quiet,
  warn: (data, message) => console.warn(message, data),
  error: (data, message) => console.error(message, data),
}
