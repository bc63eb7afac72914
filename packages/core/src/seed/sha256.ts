import { putInstant } from '../time/instant-words.ts'

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
const instant = new Int32Array(5)

const NEWLINE = 10

export const sha256: Hash = text => {
  begin()
  finish(putText(text, 0))
  let hex = ''
  for (let i = 0; i < 8; i++) hex += hexOf(state[i]!)
  return hex
}

/** The first 8 bytes of the hash of three lines, as two words. A number is an instant, hashed as it is printed. */
export function firstWords(
  first: string,
  second: string | number,
  third: string,
): { high: number; low: number } {
  begin()
  let at = put(NEWLINE, putText(first, 0))
  if (typeof second === 'string') at = putText(second, at)
  else {
    putInstant(second, instant)
    for (let i = 0; i < 5; i++) at = putWord(instant[i]!, at)
  }
  finish(putText(third, put(NEWLINE, at)))
  return { high: state[0]!, low: state[1]! }
}

/** A text that many hashes begin with, already hashed as far as it goes. */
export interface Beginning {
  readonly words: Int32Array
  readonly state: Int32Array
  readonly length: number
}

export function beginningOf(text: string): Beginning {
  begin()
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

function begin(): void {
  for (let i = 0; i < 8; i++) state[i] = INITIAL[i]!
}

/** Adds the padding after `length` bytes, and leaves the hash in `state`. */
function finish(length: number): void {
  let at = (length >> 2) & 15
  words[at] = ((words[at]! << 8) | 0x80) << (24 - ((length & 3) << 3))
  if (++at > 14) {
    if (at === 15) words[15] = 0
    compress()
    at = 0
  }
  while (at < 14) words[at++] = 0
  words[14] = Math.floor(length / 0x2000_0000)
  words[15] = length << 3
  compress()
}

/** Adds a text's UTF-8 at a byte position and tells the next. */
function putText(text: string, position: number): number {
  const fours = text.length & ~3
  let at = position
  let i = 0
  for (; i < fours; i += 4) {
    const a = text.charCodeAt(i)
    const b = text.charCodeAt(i + 1)
    const c = text.charCodeAt(i + 2)
    const d = text.charCodeAt(i + 3)
    if ((a | b | c | d) >= 0x80) break
    at = putWord((a << 24) | (b << 16) | (c << 8) | d, at)
  }
  return i === text.length ? at : putRest(text, i, at)
}

/** Adds the characters from `from` on, one by one: the last three, or all after the ASCII at the beginning. */
function putRest(text: string, from: number, position: number): number {
  let at = position
  for (let i = from; i < text.length; i++) {
    const code = text.codePointAt(i)!
    if (code > 0xffff) i++
    at = code < 0x80 ? put(code, at) : putCodePoint(code, at)
  }
  return at
}

/** Adds four bytes. The bytes of a word that is not full are its lowest: older ones are shifted out in time. */
function putWord(word: number, at: number): number {
  const place = (at >> 2) & 15
  const shift = (at & 3) << 3
  words[place] = shift === 0 ? word : (words[place]! << (32 - shift)) | (word >>> shift)
  if (place === 15) compress()
  words[(place + 1) & 15] = word
  return at + 4
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
  // The words that the next step needs again are kept in variables: an array is slower.
  let w = words[0]!
  let y = words[14]!
  let z = words[15]!
  for (let i = 16; i < 64; i += 2) {
    const x = words[i - 15]!
    y = expand(w, x, words[i - 7]!, y)
    w = words[i - 14]!
    z = expand(x, w, words[i - 6]!, z)
    words[i] = y
    words[i + 1] = z
  }
  let a = state[0]!
  let b = state[1]!
  let c = state[2]!
  let d = state[3]!
  let e = state[4]!
  let f = state[5]!
  let g = state[6]!
  let h = state[7]!
  // Four rounds a turn make all eight values new: none is only moved to the next name.
  for (let i = 0; i < 64; i += 4) {
    const t1 = mixed(e, f, g, (h + ROUND[i]! + words[i]!) | 0)
    const e1 = (d + t1) | 0
    const a1 = folded(a, b, c, t1)
    const t2 = mixed(e1, e, f, (g + ROUND[i + 1]! + words[i + 1]!) | 0)
    const e2 = (c + t2) | 0
    const a2 = folded(a1, a, b, t2)
    const t3 = mixed(e2, e1, e, (f + ROUND[i + 2]! + words[i + 2]!) | 0)
    const e3 = (b + t3) | 0
    const a3 = folded(a2, a1, a, t3)
    const t4 = mixed(e3, e2, e1, (e + ROUND[i + 3]! + words[i + 3]!) | 0)
    h = e1
    g = e2
    f = e3
    e = (a + t4) | 0
    d = a1
    c = a2
    b = a3
    a = folded(a3, a2, a1, t4)
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

/** A word of the schedule from those 16, 15, 7 and 2 places before it. */
const expand = (w: number, x: number, v: number, y: number): number =>
  (w +
    v +
    (((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)) +
    (((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10))) |
  0

const mixed = (e: number, f: number, g: number, sum: number): number =>
  (sum +
    (g ^ (e & (f ^ g))) +
    (((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7)))) |
  0

const folded = (a: number, b: number, c: number, sum: number): number =>
  (sum +
    ((a & b) | (c & (a | b))) +
    (((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10)))) |
  0

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
