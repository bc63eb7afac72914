import { UTC } from '@kron/core'
import { parseCrontab, readCrontabLine } from '@kron/host'
import type { CrontabOptions } from './crontab.ts'

/** Every line for which Debian's cron ignores the file as a whole, counted from 1. */
export function mistakesOf(
  text: string,
  { withUser, owner = 'user' }: CrontabOptions,
): { readonly line: number; readonly message: string }[] {
  const { faults } = parseCrontab(text, '/crontab', {
    owner: withUser ? undefined : owner,
    zone: UTC,
    windowNs: 0,
    uid: 0,
    findUser: name => ({ name, uid: 0, gid: 0, home: '/', shell: '/bin/sh' }),
    listScripts: undefined,
  })
  const found = faults.map(({ line, message, source }) => ({ line, message: `${source.trim()}: ${message}` }))
  for (const [i, raw] of text.split('\n').entries()) {
    const line = raw.trimStart()
    if (line.startsWith('#')) continue
    const read = readCrontabLine(line, withUser)
    if (typeof read === 'string') continue
    if (read.quiet) found.push({ line: i + 1, message: `${line}: only cronie knows the leading -` })
    if (read.schedule === '@every_minute')
      found.push({ line: i + 1, message: `${line}: only BSD crons know @every_minute` })
  }
  return found.sort((a, b) => a.line - b.line)
}
