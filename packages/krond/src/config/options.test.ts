import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigurationError } from '@kron/core'
import { parseConf } from '@kron/host'
import { resolveOptions } from './options.ts'

const root = { uid: 0, env: {} }

test('an option goes before its variable, the variable before the file, the file before the default', () => {
  const conf = parseConf('# a comment\n\nhistory = 7\nstop-timeout=30s\nstrict = true\n')
  const account = {
    uid: 0,
    env: { KROND_HISTORY: '8', KROND_STATE_DIR: '/srv/krond', KROND_CONFIG: '/a:/b' },
  }
  const options = resolveOptions({ history: '9', 'log-format': 'json' }, conf, account)
  assert.equal(options.history, 9)
  assert.equal(resolveOptions({}, conf, account).history, 8)
  assert.equal(resolveOptions({}, conf, root).history, 7)
  assert.equal(resolveOptions({}, {}, root).history, 50)
  assert.deepEqual([options.stateDir, options.stopTimeout, options.strict], ['/srv/krond', 30_000, true])
  assert.deepEqual([options.logFormat, options.logLevel, options.stop], ['json', 'info', 'wait'])
  assert.deepEqual(options.config, ['/a', '/b'])
  assert.deepEqual(resolveOptions({ config: ['/c'] }, conf, account).config, ['/c'])
})

test('root has the system directories, everybody else the XDG ones', () => {
  const { config, stateDir, pidFile } = resolveOptions({}, {}, root)
  assert.deepEqual([config, stateDir, pidFile], [['/etc/krond.d'], '/var/lib/krond', '/run/krond.pid'])
  const user = {
    uid: 1_000,
    env: { HOME: '/home/ann', XDG_STATE_HOME: '/var/ann', XDG_RUNTIME_DIR: '/run/user/1000' },
  }
  const own = resolveOptions({}, {}, user)
  assert.deepEqual(own.config, ['/home/ann/.config/krond'])
  assert.deepEqual([own.stateDir, own.pidFile], ['/var/ann/krond', '/run/user/1000/krond.pid'])
})

test('a value that cannot be used is refused with where it came from', () => {
  const refused = (flags: Record<string, string>, env = {}, conf = {}): string => {
    try {
      resolveOptions(flags, conf, { uid: 0, env })
    } catch (error) {
      assert.ok(error instanceof ConfigurationError)
      return error.message
    }
    return 'accepted'
  }
  assert.equal(
    refused({ 'max-concurrent': '0' }),
    '--max-concurrent must be a whole number from 1, found "0"',
  )
  assert.equal(refused({ stop: 'now' }), '--stop must be one of wait, terminate, leave, found "now"')
  assert.match(refused({}, { KROND_STOP_TIMEOUT: 'soon' }), /^KROND_STOP_TIMEOUT must be a duration/)
  assert.match(
    refused({}, {}, { strict: 'maybe' }),
    /^strict in \/etc\/krond\.conf must be one of true, false/,
  )
  assert.throws(() => parseConf('historie = 5'), /krond\.conf:1: unknown setting "historie"/)
})
