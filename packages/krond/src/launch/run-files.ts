import { existsSync, readdirSync, readFileSync, unlinkSync } from 'node:fs'

/** The files that shims leave: claims, and end records that no daemon has read. */
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
  // Most files do not exist, and rmSync would take a millisecond to notice: too long while a burst starts.
  const remove = (path: string): void => {
    if (existsSync(path)) unlinkSync(path)
  }
  return {
    claimNames: () => readdirSync(claimsDir).filter(name => !name.startsWith('.')),
    readClaim: name => read(`${claimsDir}/${name}`),
    removeClaim: name => remove(`${claimsDir}/${name}`),
    readEnd: id => read(`${runsDir}/${id}.end`)?.toString('latin1'),
    removeEnd: id => remove(`${runsDir}/${id}.end`),
    removeOutput: id => remove(`${runsDir}/${id}.output`),
  }
}
