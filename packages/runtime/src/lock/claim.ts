import * as fs from 'node:fs'
import { join } from 'node:path'
import { hasCode } from '../disk/disk.ts'

/** The owner of a lock, as its claim file says. */
export interface Claim {
  readonly id: string
  readonly pid: number
  readonly host: string
  /** Equal for processes that can see each other's sockets: one machine since it was started. */
  readonly machine: string
  /** Where the holder listens: a name in the lock's directory, an absolute path or a pipe. */
  readonly beacon?: string
  readonly since: string
  readonly released?: boolean
}

const NAME = /^claim-(\d{10})$/
/** The number of claims kept. A listing that runs during a takeover then always sees one of the newest. */
const KEPT = 8

export const claimPath = (directory: string, number: number): string =>
  join(directory, `claim-${String(number).padStart(10, '0')}`)

/** Numbers of the claims in a directory, rising. */
export const claimNumbers = (directory: string): number[] =>
  fs
    .readdirSync(directory)
    .flatMap(name => NAME.exec(name)?.slice(1).map(Number) ?? [])
    .sort((one, other) => one - other)

/** A claim, or undefined for one that is not (yet) written out. */
export function readClaim(path: string): Claim | undefined {
  try {
    const claim = JSON.parse(fs.readFileSync(path, 'utf8')) as Claim
    return typeof claim?.id === 'string' ? claim : undefined
  } catch {
    return undefined
  }
}

/** Makes a claim that nobody has made; false if somebody has. */
export function makeClaim(directory: string, number: number, claim: Claim): boolean {
  const path = claimPath(directory, number)
  const draft = join(directory, `${claim.id}.draft`)
  fs.writeFileSync(draft, JSON.stringify(claim), { mode: 0o600 })
  try {
    fs.linkSync(draft, path)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    // A file system without hard links: whoever reads the claim before it is written out watches it instead.
    return makeClaimInPlace(path, claim)
  } finally {
    fs.rmSync(draft, { force: true })
  }
}

function makeClaimInPlace(path: string, claim: Claim): boolean {
  try {
    fs.writeFileSync(path, JSON.stringify(claim), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

/** Says that the holder has let go. Only the holder writes to its claim. */
export function releaseClaim(directory: string, number: number, claim: Claim): void {
  const draft = join(directory, `${claim.id}.draft`)
  fs.writeFileSync(draft, JSON.stringify({ ...claim, released: true }), { mode: 0o600 })
  fs.renameSync(draft, claimPath(directory, number))
}

/** Removes old claims, and sockets that their holders left behind. */
export function removeOldClaims(directory: string, newest: number): void {
  for (const number of claimNumbers(directory)) {
    if (number >= newest) continue
    const { beacon } = readClaim(claimPath(directory, number)) ?? {}
    if (beacon?.endsWith('.sock')) fs.rmSync(join(directory, beacon), { force: true })
    if (number <= newest - KEPT) fs.rmSync(claimPath(directory, number), { force: true })
  }
}
