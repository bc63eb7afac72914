import { readdirSync, readFileSync, rmSync } from 'node:fs'

/** The files that shims leave: claims, and ends that no daemon took. */
export interface RunFiles {
  claimNames(): readonly string[]
  /** Undefined if there is none, or it cannot be read. */
  readClaim(name: string): Buffer | undefined
  removeClaim(name: string): void
  readEnd(executionId: string): string | undefined
  removeEnd(executionId: string): void
  removeOutput(executionId: string): void
}

export function hostRunFiles(claimsDir: string, runsDir: string): RunFiles {
  const read = (path: string): Buffer | undefined => {
    try {
      return readFileSync(path)
    } catch {
      return undefined
    }
  }
  return {
    claimNames: () => readdirSync(claimsDir).filter(name => !name.startsWith('.')),
    readClaim: name => read(`${claimsDir}/${name}`),
    removeClaim: name => rmSync(`${claimsDir}/${name}`, { force: true }),
    readEnd: id => read(`${runsDir}/${id}.end`)?.toString('latin1'),
    removeEnd: id => rmSync(`${runsDir}/${id}.end`, { force: true }),
    removeOutput: id => rmSync(`${runsDir}/${id}.output`, { force: true }),
  }
}
