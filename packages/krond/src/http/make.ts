import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ConfigurationError } from '@kron/core'
import type { DaemonOptions } from '../config/options.ts'
import { isLocal, printAddress } from './address.ts'
import type { HttpService } from './service.ts'
import { Token } from './token.ts'

/** The service the options ask for; without `--listen` none, and none of its code is loaded. */
export async function makeHttpService(
  options: DaemonOptions,
  warn: (message: string) => void = () => {},
): Promise<HttpService | undefined> {
  const { listen: address, tokenFile } = options
  if (address === undefined) return undefined
  const token = tokenFile === undefined ? undefined : Token.read(tokenFile)
  if (token === undefined && !isLocal(address)) {
    throw new ConfigurationError(
      `${printAddress(address)} can be reached from elsewhere: a token is needed`,
      {
        component: 'configuration',
        operation: 'listen',
        hint: 'name a file that holds a secret with --token-file, or listen on 127.0.0.1',
      },
    )
  }
  const { HttpService } = await import('./service.ts')
  return new HttpService({
    address,
    token,
    version: version(),
    hash: text => hash('sha256', text, 'hex'),
    now: Date.now,
    warn,
  })
}

function version(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
