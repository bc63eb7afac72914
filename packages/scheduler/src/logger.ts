/**
 * The scheduler's log. The arguments are those of pino, data first: `logger.warn({ type, taskName, … },
 * 'TaskRunFailed')`. A pino logger or `console` works unchanged. Errors are also under `err`, the key that pino
 * expects.
 */
export interface Logger {
  debug(data: object, message: string): void
  info(data: object, message: string): void
  warn(data: object, message: string): void
  error(data: object, message: string): void
}

const quiet = () => {}

/** A logger that prints only warnings and errors. */
export const warningsToConsole: Logger = {
  debug: quiet,
  info: quiet,
  warn: (data, message) => console.warn(message, data),
  error: (data, message) => console.error(message, data),
}
