import { closeSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import {
  claimName,
  openLockFile,
  parseRunEnd,
  type RunSpec,
  Shim,
  shimPath,
  startServe,
  verifiedLines,
} from '@kron/host'

const FIRST = 1_772_323_200
const PERIOD = claimName('/jobs.kron:a', FIRST)
const PATIENCE_MS = 20_000

/**
 * Every bit of a claim, and of the end record beside it, before the real `kron-shim serve`: a second start of the
 * period must be refused, and no answer may say that nothing was started. Returns the number of failures.
 */
export async function damageClaims(stride: number): Promise<number> {
  const directory = mkdtempSync(`${tmpdir()}/kron-damage-`)
  const [claimsDir, runsDir] = [`${directory}/claims`, `${directory}/runs`]
  for (const each of [claimsDir, runsDir]) mkdirSync(each, { mode: 0o700 })
  const lockFd = openLockFile(`${directory}/lock`)
  const options = { shim: shimPath(), claimsDir, runsDir, controlSocket: undefined, sync: false, lockFd }
  const rest = { lockWaitMs: 0, cgroup: undefined, notifySocket: undefined, onWaiting: () => {} }
  const onDeath = (error: Error): never => {
    throw error
  }
  const serve = await startServe({ ...options, ...rest, onDeath })
  if (serve === undefined) throw new Error('the lock of a new directory is taken')
  try {
    const shim = new Shim(serve)
    const failures = await ofClaim(shim, claimsDir, directory, stride)
    // A run that ends without a daemon leaves a record.
    const spec = { ...specOf(directory), executionId: 'execution-2', command: { shell: 'sleep 0.5' } }
    await shim.start(claimName('/jobs.kron:a', FIRST + 60), spec)
    serve.close()
    return failures + (await ofEndRecord(runsDir, stride))
  } finally {
    serve.close()
    closeSync(lockFd)
    rmSync(directory, { recursive: true, force: true })
  }
}

/** A command that counts its executions. */
const specOf = (directory: string): RunSpec => ({
  executionId: 'execution-1',
  job: 'a',
  command: { shell: `echo run >> ${directory}/ran; echo out` },
  environment: {},
  stdout: { kind: 'discard' },
  stderr: { kind: 'discard' },
})

async function ofClaim(shim: Shim, claimsDir: string, directory: string, stride: number): Promise<number> {
  const spec = specOf(directory)
  const first = await shim.start(PERIOD, spec)
  if (first.kind !== 'started') throw new Error(`the first start was ${first.kind}`)
  await first.run.ended
  const path = `${claimsDir}/${PERIOD}`
  const intact = readFileSync(path)
  let [flips, exact, unknown, failures] = [0, 0, 0, 0]
  for (let bit = 0; bit < intact.length * 8; bit += stride) {
    flips++
    const bytes = Buffer.from(intact)
    bytes[bit >> 3]! ^= 1 << (bit & 7)
    writeFileSync(path, bytes)
    const followed = await shim.follow(PERIOD)
    const again = await shim.start(PERIOD, spec)
    if (followed.kind === 'ended') exact++
    else if (followed.kind === 'lost') unknown++
    if (followed.kind === 'gone' || followed.kind === 'running' || again.kind !== 'already') {
      failures++
      console.log(`  claim, bit ${bit}: follow ${followed.kind}, start ${again.kind}`)
    }
  }
  const runs = readFileSync(`${directory}/ran`, 'utf8').split('\n').length - 1
  if (runs !== 1) failures++
  console.log(
    `claim: ${flips} flips before the real shim; end still exact ${exact}, end unknown ${unknown}; executions ${runs}`,
  )
  return failures
}

/** A single flipped bit never makes another valid record. */
async function ofEndRecord(runsDir: string, stride: number): Promise<number> {
  const path = `${runsDir}/execution-2.end`
  for (const until = Date.now() + PATIENCE_MS; !existsSync(path); await pause(50))
    if (Date.now() > until) throw new Error('the run left no end record')
  const intact = readFileSync(path)
  let [flips, accepted] = [0, 0]
  for (let bit = 0; bit < intact.length * 8; bit += stride) {
    flips++
    const bytes = Buffer.from(intact)
    bytes[bit >> 3]! ^= 1 << (bit & 7)
    if (parseRunEnd(verifiedLines(bytes.toString('latin1')) ?? []) !== undefined) accepted++
  }
  console.log(`end record: ${flips} flips, ${accepted} accepted`)
  return accepted
}
