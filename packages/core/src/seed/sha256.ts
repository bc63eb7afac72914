/** SHA-256 of a text's UTF-8 bytes, as 64 lower-case hex digits. Adapters may pass the platform's own instead. */
export type Hash = (text: string) => string

// Fractions of the cube roots of the first 64 primes, and of the square roots of the first 8.
const ROUND = Int32Array.of(
  0x428a2f98,
  0x71374491,
  0xb5c0fbcf,
  0xe9b5dba5,
  0x3956c25b,
  0x59f111f1,
  0x923f82a4,
  0xab1c5ed5,
  0xd807aa98,
  0x12835b01,
  0x243185be,
  0x550c7dc3,
  0x72be5d74,
  0x80deb1fe,
  0x9bdc06a7,
  0xc19bf174,
  0xe49b69c1,
  0xefbe4786,
  0x0fc19dc6,
  0x240ca1cc,
  0x2de92c6f,
  0x4a7484aa,
  0x5cb0a9dc,
  0x76f988da,
  0x983e5152,
  0xa831c66d,
  0xb00327c8,
  0xbf597fc7,
  0xc6e00bf3,
  0xd5a79147,
  0x06ca6351,
  0x14292967,
  0x27b70a85,
  0x2e1b2138,
  0x4d2c6dfc,
  0x53380d13,
  0x650a7354,
  0x766a0abb,
  0x81c2c92e,
  0x92722c85,
  0xa2bfe8a1,
  0xa81a664b,
  0xc24b8b70,
  0xc76c51a3,
  0xd192e819,
  0xd6990624,
  0xf40e3585,
  0x106aa070,
  0x19a4c116,
  0x1e376c08,
  0x2748774c,
  0x34b0bcb5,
  0x391c0cb3,
  0x4ed8aa4a,
  0x5b9cca4f,
  0x682e6ff3,
  0x748f82ee,
  0x78a5636f,
  0x84c87814,
  0x8cc70208,
  0x90befffa,
  0xa4506ceb,
  0xbef9a3f7,
  0xc67178f2,
)
const INITIAL = Int32Array.of(
  0x6a09e667,
  0xbb67ae85,
  0x3c6ef372,
  0xa54ff53a,
  0x510e527f,
  0x9b05688c,
  0x1f83d9ab,
  0x5be0cd19,
)

// Scratch space: rewritten by every call before it is read, so no call can see another's.
const words = new Int32Array(64)
const state = new Int32Array(8)

const NEWLINE = 10

export const sha256: Hash = text => {
  digest([text])
  let hex = ''
  for (let i = 0; i < 8; i++) hex += hexOf(state[i]!)
  return hex
}

/** The first 8 bytes of the hash of `lines` joined by newlines, as two words: a third of the work is writing hex. */
export function firstWords(lines: readonly string[]): { high: number; low: number } {
  digest(lines)
  return { high: state[0]!, low: state[1]! }
}

/** A text that many hashes begin with, already hashed as far as it goes. */
export interface Beginning {
  readonly words: Int32Array
  readonly state: Int32Array
  readonly length: number
}

export function beginningOf(text: string): Beginning {
  state.set(INITIAL)
  const length = putText(text, 0)
  return { words: words.slice(0, 16), state: state.slice(), length }
}

/** Puts the first 8 bytes of the hash of a beginning and the rest of the text into `into`. */
export function firstWordsAfter(
  beginning: Beginning,
  rest: string,
  into: { high: number; low: number },
): void {
  for (let i = 0; i < 16; i++) words[i] = beginning.words[i]!
  for (let i = 0; i < 8; i++) state[i] = beginning.state[i]!
  finish(putText(rest, beginning.length))
  into.high = state[0]!
  into.low = state[1]!
}

/** Leaves the hash in `state`. */
function digest(lines: readonly string[]): void {
  for (let i = 0; i < 8; i++) state[i] = INITIAL[i]!
  let length = putText(lines[0]!, 0)
  for (let i = 1; i < lines.length; i++) length = putText(lines[i]!, put(NEWLINE, length))
  finish(length)
}

/** Adds the padding after `length` bytes. */
function finish(length: number): void {
  let padded = put(0x80, length)
  while (padded % 64 !== 56) padded = put(0, padded)
  words[14] = Math.floor(length / 0x2000_0000)
  words[15] = length << 3
  compress()
}

/** Adds a text's UTF-8 at a byte position and tells the next. */
function putText(text: string, position: number): number {
  let at = position
  // `put` for ASCII, with the word kept at hand: its older bytes are shifted out in time.
  let word = words[(at >> 2) & 15]!
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c < 0x80) {
      word = (word << 8) | c
      words[(at >> 2) & 15] = word
      at++
      if ((at & 63) === 0) compress()
    } else {
      const code = text.codePointAt(i)!
      if (code > 0xffff) i++
      at = putCodePoint(code, at)
      word = words[(at >> 2) & 15]!
    }
  }
  return at
}

/** A code point beyond ASCII; a lone surrogate becomes U+FFFD, as the platform's encoders do. */
function putCodePoint(point: number, position: number): number {
  const code = point >= 0xd800 && point < 0xe000 ? 0xfffd : point
  let rest = code < 0x800 ? 6 : code < 0x1_0000 ? 12 : 18
  const mark = rest === 6 ? 0xc0 : rest === 12 ? 0xe0 : 0xf0
  let at = put(mark | (code >> rest), position)
  while (rest > 0) {
    rest -= 6
    at = put(0x80 | ((code >> rest) & 63), at)
  }
  return at
}

function put(byte: number, at: number): number {
  const word = (at >> 2) & 15
  words[word] = (words[word]! << 8) | byte
  if ((at & 63) === 63) compress()
  return at + 1
}

/** Mixes the first 16 words into the state. */
function compress(): void {
  for (let i = 16; i < 64; i++) {
    const x = words[i - 15]!
    const y = words[i - 2]!
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    words[i] = (words[i - 16]! + s0 + words[i - 7]! + s1) | 0
  }
  let a = state[0]!
  let b = state[1]!
  let c = state[2]!
  let d = state[3]!
  let e = state[4]!
  let f = state[5]!
  let g = state[6]!
  let h = state[7]!
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const t1 = (h + s1 + (g ^ (e & (f ^ g))) + ROUND[i]! + words[i]!) | 0
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const t2 = (s0 + ((a & b) | (c & (a | b)))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  state[0] = state[0]! + a
  state[1] = state[1]! + b
  state[2] = state[2]! + c
  state[3] = state[3]! + d
  state[4] = state[4]! + e
  state[5] = state[5]! + f
  state[6] = state[6]! + g
  state[7] = state[7]! + h
}

const hexOf = (word: number): string =>
  String.fromCharCode(
    digit(word >>> 28),
    digit((word >>> 24) & 15),
    digit((word >>> 20) & 15),
    digit((word >>> 16) & 15),
    digit((word >>> 12) & 15),
    digit((word >>> 8) & 15),
    digit((word >>> 4) & 15),
    digit(word & 15),
  )

const digit = (n: number): number => n + (n < 10 ? 48 : 87)
