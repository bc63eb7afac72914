import { KronError } from '@kron/core'
import { parseConf } from '../../../packages/host/src/fleet/conf-file.ts'
import { resolveOptions } from '../../../packages/krond/src/config/options.ts'
import { parseAddress, printAddress } from '../../../packages/krond/src/http/address.ts'
import { must, type Target } from '../target.ts'

const ACCOUNT = { uid: 0, env: {} }

export const target: Target = {
  seeds: [
    'listen = 127.0.0.1:9723\nlog-format = json\n',
    '# comment\nhistory=10\nmax-concurrent = 4\nstop = terminate\nstop-timeout = 30s\n',
    'config = /etc/a:/etc/b\nstrict = true\nlisten=[::1]:1\n',
    '[::1]:65535',
    '/run/krond.sock',
  ],
  tokens:
    'config state-dir pid-file log-format log-level listen token-file history max-concurrent stop stop-timeout keep-going strict follow-symlinks = # \n true false json text debug 30s 0 65536 localhost: [::1]: / __proto__'.split(
      / /,
    ),
  longest: 200,
  run(text) {
    const address = parseAddress(text)
    if (address?.kind === 'tcp') {
      must(address.port <= 65_535, 'a port is one')
      must(
        new URL(`http://x:${address.port}`).port !== 'x' && printAddress(address) !== '',
        'it can be printed',
      )
    }
    try {
      const options = resolveOptions({}, parseConf(text), ACCOUNT)
      must(options.history >= 0 && options.maxConcurrent >= 1, 'counts are in their range')
    } catch (error) {
      if (!(error instanceof KronError)) throw error
    }
  },
}
