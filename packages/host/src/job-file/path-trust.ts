import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type AccountFiles, hasNoAcl, isPrivateGroup, readAccountFiles } from './private-group.ts'
import type { ReadFile } from './read.ts'
import { type PathNode, type SafetyProblem, safetyProblems, type Trust } from './safety.ts'

const LINK: SafetyProblem = {
  message: 'the file is a symbolic link',
  hint: 'copy the file, or use --follow-symlinks',
  certain: true,
}

/**
 * Decides whether a job file is trusted, for all callers: krond, and krontab's run, lint, add, edit and remove.
 * A file is trusted if only root and the daemon's user can change it and every directory or link that leads to it.
 * Results for directories are cached, so make a new object for every reading.
 */
export class PathTrust {
  readonly #trust: Trust
  readonly #known = new Map<string, readonly SafetyProblem[]>()
  #accounts: AccountFiles | undefined

  constructor(trust: Trust) {
    this.#trust = trust
  }

  /** Why the file at an absolute path must not be trusted. */
  problemsOf(path: string, { stats, symlink }: Extract<ReadFile, { ok: true }>): SafetyProblem[] {
    const problems = [...this.#check({ kind: 'file', path, stats }), ...this.directoryProblems(dirname(path))]
    if (!symlink) return problems
    if (!this.#trust.followSymlinks) return [LINK, ...problems]
    return [...problems, ...this.#link(path, lstatSync(path))]
  }

  /** Why no file in the directory at an absolute path can be trusted. */
  directoryProblems(path: string): readonly SafetyProblem[] {
    const known = this.#known.get(path)
    if (known !== undefined) return known
    // A link that leads back here adds no problem.
    this.#known.set(path, [])
    const above = path === '/' ? [] : this.directoryProblems(dirname(path))
    const problems = distinct([...above, ...this.#node(path)])
    this.#known.set(path, problems)
    return problems
  }

  #node(path: string): SafetyProblem[] {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return []
    if (stats.isSymbolicLink()) return this.#link(path, stats)
    return this.#check({ kind: stats.isDirectory() ? 'directory' : 'file', path, stats })
  }

  #link(path: string, stats: Stats): SafetyProblem[] {
    const target = resolve(realpathSync(dirname(path)), readlinkSync(path))
    return [...this.#check({ kind: 'link', path, stats }), ...this.directoryProblems(target)]
  }

  #check(node: PathNode): SafetyProblem[] {
    return safetyProblems(node, this.#trust, () => this.#groupIsHarmless(node))
  }

  #groupIsHarmless({ path, stats: { gid } }: PathNode): boolean {
    this.#accounts ??= readAccountFiles()
    return isPrivateGroup(gid, this.#trust.uid, this.#accounts) && hasNoAcl(path)
  }
}

const distinct = (problems: readonly SafetyProblem[]): SafetyProblem[] => [
  ...new Map(problems.map(each => [each.message, each])).values(),
]
