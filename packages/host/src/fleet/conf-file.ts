import { readFileSync } from 'node:fs'
import { ConfigurationError } from '@kron/core'

/** The options of krond. krontab reads them too, for the default salt. */
export const CONF_FILE = '/etc/krond.conf'

export const CONF_NAMES = [
  'config',
  'state-dir',
  'runtime-dir',
  'pid-file',
  'log-format',
  'log-level',
  'listen',
  'token-file',
  'tls-cert',
  'tls-key',
  'history',
  'max-concurrent',
  'stop',
  'stop-timeout',
  'cgroup',
  'keep-going',
  'strict',
  'follow-symlinks',
  'foreground',
  'salt',
  'system-crontab',
  'user-crontabs',
  'user-job-files',
  'cron-directories',
  'crontab-window',
  'sendmail',
  'notify',
  'notify-on',
  'notify-secret-file',
] as const

/** The texts of a krond.conf by name. */
export type Conf = Readonly<Record<string, string>>

const CONTEXT = { component: 'configuration', operation: 'read options' } as const

/** The settings of the file; none if there is no file. */
export function readConf(path = CONF_FILE): Conf {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return {}
    throw new ConfigurationError(`cannot read ${path}: ${message}`, CONTEXT)
  }
  return parseConf(text, path)
}

/** `key = value` lines; `#` starts a comment line. */
export function parseConf(text: string, path = CONF_FILE): Conf {
  const settings: Record<string, string> = {}
  for (const [index, line] of text.split('\n').entries()) {
    const trimmed = line.trim()
    if (trimmed === '' || trimmed.startsWith('#')) continue
    const equals = trimmed.indexOf('=')
    const name = trimmed.slice(0, equals < 0 ? undefined : equals).trim()
    if (equals < 0 || !(CONF_NAMES as readonly string[]).includes(name)) {
      throw new ConfigurationError(`${path}:${index + 1}: unknown setting ${JSON.stringify(name)}`, {
        ...CONTEXT,
        hint: `settings are ${CONF_NAMES.join(', ')}`,
      })
    }
    settings[name] = trimmed.slice(equals + 1).trim()
  }
  return settings
}
