import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { ConfigurationError } from '@kron/core'
import type { ScopedTokens } from '../api/scoped-tokens.ts'
import type { DaemonOptions } from '../config/options.ts'
import type { StartPriority } from '../effects/start-priority.ts'
import { isLocal, printAddress } from './address.ts'
import type { HttpService } from './service.ts'
import { Token, tokenPath } from './token.ts'

/** The service that the options ask for; without `--listen` there is none, and none of its code is loaded. */
export async function makeHttpService(
  options: DaemonOptions,
  priority: StartPriority,
  furtherTokens: ScopedTokens,
  warn: (message: string) => void = () => {},
): Promise<HttpService | undefined> {
  const { listen: address, tokenFile } = options
  if (address === undefined) return undefined
  const token = tokenFile === undefined ? undefined : Token.read(tokenFile)
  const tls = tlsOf(options)
  const isExposed = !isLocal(address)
  if (isExposed && tls === undefined)
    throw refusal(
      `${printAddress(address)} can be reached from elsewhere: a token and TLS are needed`,
      'name a certificate with --tls-cert and its key with --tls-key, or listen on 127.0.0.1',
    )
  const { HttpService } = await import('./service.ts')
  return new HttpService({
    address,
    token,
    furtherTokens,
    stateToken: () => Token.readOrMake(tokenPath(options.stateDir)),
    isTokenRequired: isExposed || token !== undefined,
    ...(tls === undefined ? {} : { tls }),
    now: Date.now,
    idle: () => priority.idle(),
    warn,
  })
}

function tlsOf({ tlsCert, tlsKey }: DaemonOptions): { cert: Buffer; key: Buffer } | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (tlsCert === undefined || tlsKey === undefined)
    throw refusal('TLS needs a certificate and its key', 'name both: --tls-cert FILE --tls-key FILE')
  const read = (path: string): Buffer => {
    try {
      return readFileSync(path)
    } catch (error) {
      throw refusal(`cannot read ${path}: ${(error as Error).message}`)
    }
  }
  const files = { cert: read(tlsCert), key: read(tlsKey) }
  try {
    createSecureContext(files)
  } catch (error) {
    throw refusal(`${tlsCert} and ${tlsKey} are no certificate with its key: ${(error as Error).message}`)
  }
  return files
}

const refusal = (message: string, hint?: string): ConfigurationError =>
  new ConfigurationError(message, {
    component: 'configuration',
    operation: 'listen',
    ...(hint === undefined ? {} : { hint }),
  })
