/**
 * The documents of krond's API, as krond writes them and the console and krontab read them. No code but lists of
 * names, so a browser can import this. docs/reference/openapi.json describes the same shapes. Times are RFC 3339 in UTC with whole seconds.
 */
export * from './act.ts'
export * from './daemon.ts'
export * from './feed.ts'
export * from './forecast.ts'
export * from './job.ts'
export * from './output.ts'
export * from './overview.ts'
export * from './run.ts'
export * from './schedule-files.ts'
