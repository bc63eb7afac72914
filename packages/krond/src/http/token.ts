import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { ConfigurationError } from '@kron/core'
import { readSecret } from '../config/secret-file.ts'

const SHORTEST = 16
const RANDOM_BYTES = 32

/** The path of the token that krond creates at its first start. */
export const tokenPath = (stateDir: string): string => `${stateDir}/token`

/** A secret that requests must send as `Authorization: Bearer …`; only its hash is kept in memory. */
export class Token {
  readonly #hash: Buffer

  constructor(secret: string) {
    this.#hash = hashOf(secret)
  }

  /** Reads the secret from a file that no other user can read. */
  static read(path: string): Token {
    const secret = readSecret(path, `the token file ${path}`, 'listen')
    if (secret.length < SHORTEST) {
      const hint = 'for example: head -c 32 /dev/urandom | base64 > FILE'
      throw refusal(`the token in ${path} is shorter than ${SHORTEST} characters`, hint)
    }
    return new Token(secret)
  }

  /** Reads the secret; creates it first if the file is missing. Only for a directory that no other user can change. */
  static readOrMake(path: string): Token {
    try {
      writeFileSync(path, `${randomBytes(RANDOM_BYTES).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
        throw refusal(
          `cannot make the token file ${path}: ${(error as Error).message}`,
          'name one with --token-file',
        )
    }
    return Token.read(path)
  }

  is(secret: string): boolean {
    return timingSafeEqual(hashOf(secret), this.#hash)
  }
}

/** The secret in a header `Authorization`; undefined if there is none. */
export const bearerOf = (authorization: string): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization)?.[1]

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

const refusal = (message: string, hint: string): ConfigurationError =>
  new ConfigurationError(message, { component: 'configuration', operation: 'listen', hint })
