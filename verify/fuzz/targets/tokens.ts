import { parseTokens } from '../../../packages/krond/src/api/scoped-tokens.ts'
import { bearerOf } from '../../../packages/krond/src/http/token.ts'
import { must, type Target } from '../target.ts'

const HASH = 'a'.repeat(64)
const TOKEN = `{"name":"ci","scope":"read","added":"2026-03-01T02:00:00Z","by":"root","sha256":"${HASH}"}`

/** The text of the file with krond's further tokens, and the header in which a request sends one. */
export const target: Target = {
  seeds: [
    `{"version":1,"tokens":[${TOKEN}]}`,
    `{"version":1,"tokens":[${TOKEN},${TOKEN.replace('"read"', '"operate"')}]}`,
    '{"version":1,"tokens":[]}',
    '{"version":2,"tokens":[]}',
    'Bearer 0123456789abcdef',
    'bearer   x y',
    'null',
  ],
  tokens: [
    ...'{ } [ ] , : null true 0 1 -1 1e999 "version" "tokens" "name" "scope" "added" "by" "sha256" "read" "operate" "__proto__" "constructor" Bearer bearer'.split(
      ' ',
    ),
    `"${HASH}"`,
    TOKEN,
    ' ',
    '\t',
    '\n',
  ],
  longest: 500,
  run(text) {
    const secret = bearerOf(text)
    must(secret === undefined || /^\S+$/.test(secret), 'a secret has no blanks and is not empty')
    must(secret === undefined || text.endsWith(secret), 'a secret is the end of its header')
    const tokens = tokensIn(text)
    if (tokens === undefined) return
    for (const { name, scope, added, by, sha256 } of tokens) {
      must(scope === 'read' || scope === 'operate', 'a token has a known scope')
      must(Buffer.from(sha256, 'hex').length === 32, 'a hash can be compared with any other')
      must(
        [name, added, by].every(each => typeof each === 'string'),
        'a token names itself',
      )
    }
    const printed = JSON.stringify({ version: 1, tokens })
    must(JSON.stringify(parseTokens(printed)) === JSON.stringify(tokens), 'printed tokens are read again')
  },
}

/** Undefined if the text is refused. */
function tokensIn(text: string): ReturnType<typeof parseTokens> | undefined {
  try {
    return parseTokens(text)
  } catch (error) {
    must(error instanceof Error && error.message !== '', 'a refusal says why')
    must(!(error instanceof TypeError || error instanceof RangeError), 'a refusal is no accident')
    return undefined
  }
}
