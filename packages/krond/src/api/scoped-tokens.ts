import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import { TOKEN_SCOPES, type TokenRecord, type TokenScope } from '@kron/host/api'
import { type Disk, nodeDisk, SerialQueue, writeAtomically } from '@kron/runtime'

/** A further token, as it is kept: the secret itself is known only to its holder. */
interface KeptToken extends TokenRecord {
  /** SHA-256 of the secret, in hexadecimal digits. */
  readonly sha256: string
}

const FILE = 'tokens.json'
const VERSION = 1
const RANDOM_BYTES = 32
const MOST_TOKENS = 100
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/
const SCOPES: readonly unknown[] = TOKEN_SCOPES

/** Why a token was not added. */
export type TokenRefusal = 'name' | 'scope' | 'exists' | 'many' | 'damaged'

/**
 * The tokens beside krond's own, each with a name and a scope. They lie in `<state>/tokens.json` (0600), as hashes; krond
 * is the file's only writer. A damaged file admits nobody.
 */
export class ScopedTokens {
  readonly #path: string
  readonly #warn: (message: string) => void
  readonly #disk: Disk
  readonly #queue = new SerialQueue()
  /** Called with the name of a token that was removed. */
  onRemoved: (name: string) => void = () => {}
  #tokens: readonly KeptToken[] | undefined
  #isDamaged = false

  constructor(stateDir: string, warn: (message: string) => void = () => {}, disk: Disk = nodeDisk) {
    this.#path = `${stateDir}/${FILE}`
    this.#warn = warn
    this.#disk = disk
  }

  list(): readonly TokenRecord[] {
    return this.#kept().map(({ name, scope, added, by }) => ({ name, scope, added, by }))
  }

  /** Compares with every token, in the same time whichever fits. */
  find(secret: string): TokenRecord | undefined {
    const hash = hashOf(secret)
    let found: KeptToken | undefined
    for (const token of this.#kept()) {
      if (timingSafeEqual(hash, Buffer.from(token.sha256, 'hex'))) found = token
    }
    return found
  }

  /** The secret of a new token, which is told only now; it is valid when the file is on disk. */
  add(token: {
    readonly name: string
    readonly scope: string
    readonly added: string
    readonly by: string
  }): Promise<{ readonly secret: string } | TokenRefusal> {
    return this.#queue.run(async () => {
      const { name, scope, added, by } = token
      const kept = this.#kept()
      if (!NAME.test(name)) return 'name'
      if (!isScope(scope)) return 'scope'
      if (this.#isDamaged) return 'damaged'
      if (kept.some(each => each.name === name)) return 'exists'
      if (kept.length >= MOST_TOKENS) return 'many'
      const secret = randomBytes(RANDOM_BYTES).toString('base64url')
      const sha256 = hashOf(secret).toString('hex')
      await this.#save([...kept, { name, scope, added, by, sha256 }])
      return { secret }
    })
  }

  /** False if there is no token of this name. The token is refused from now on, even if the file cannot be written. */
  remove(name: string): Promise<boolean> {
    return this.#queue.run(async () => {
      const kept = this.#kept()
      const rest = kept.filter(each => each.name !== name)
      if (rest.length === kept.length) return false
      this.#tokens = rest
      this.onRemoved(name)
      await this.#save(rest)
      return true
    })
  }

  async #save(tokens: readonly KeptToken[]): Promise<void> {
    const text = `${JSON.stringify({ version: VERSION, tokens }, null, 1)}\n`
    await writeAtomically(this.#disk, this.#path, text)
    this.#tokens = tokens
  }

  /** Read when first needed: the state directory must exist by then. */
  #kept(): readonly KeptToken[] {
    if (this.#tokens !== undefined) return this.#tokens
    try {
      this.#tokens = readTokens(this.#path)
    } catch (error) {
      this.#tokens = []
      this.#isDamaged = true
      this.#warn(`no token of ${this.#path} is accepted: ${(error as Error).message}`)
    }
    return this.#tokens
  }
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

const isScope = (value: unknown): value is TokenScope => SCOPES.includes(value)

function readTokens(path: string): readonly KeptToken[] {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return []
  if (!stats.isFile()) throw new Error('it is not a file')
  if ((stats.mode & 0o077) !== 0) throw new Error('other users may read or change it')
  return parseTokens(readFileSync(path, 'utf8'))
}

/** The tokens in the text of the file; throws if it is not a file of tokens. */
export function parseTokens(text: string): readonly KeptToken[] {
  const file = JSON.parse(text) as { version?: unknown; tokens?: unknown } | null
  if (file?.version !== VERSION || !Array.isArray(file.tokens) || !file.tokens.every(isKeptToken))
    throw new Error('it has no tokens of this version of krond')
  return file.tokens
}

function isKeptToken(value: unknown): value is KeptToken {
  const { name, scope, added, by, sha256 } = (value ?? {}) as Readonly<Record<string, unknown>>
  const texts = [name, added, by, sha256].every(each => typeof each === 'string')
  return texts && isScope(scope) && /^[0-9a-f]{64}$/.test(sha256 as string)
}
