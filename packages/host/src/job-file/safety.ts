import type { Stats } from 'node:fs'

/** Whose job files are trusted: the daemon's user and group. */
export interface Trust {
  readonly uid: number
  readonly gid: number
  readonly followSymlinks: boolean
}

export interface SafetyProblem {
  readonly message: string
  readonly hint: string
  /** Whether it holds whoever the daemon runs as. */
  readonly certain: boolean
}

const GROUP_WRITE = 0o020
const WORLD_WRITE = 0o002

/** Why the daemon must not trust a file; pure, from what `readJobFile` found. */
export function safetyProblems(
  { mode, uid, gid }: Pick<Stats, 'mode' | 'uid' | 'gid'>,
  symlink: boolean,
  trust: Trust,
): SafetyProblem[] {
  const problems: SafetyProblem[] = []
  if (symlink && !trust.followSymlinks) {
    problems.push({
      message: 'the file is a symbolic link',
      hint: 'copy the file, or use --follow-symlinks',
      certain: true,
    })
  }
  if ((mode & WORLD_WRITE) !== 0) {
    problems.push({ message: 'everybody may write to the file', hint: 'chmod o-w FILE', certain: true })
  }
  if ((mode & GROUP_WRITE) !== 0 && gid !== trust.gid) {
    const message = `the group ${gid} may write to the file and is not the daemon's`
    problems.push({ message, hint: 'chmod g-w FILE', certain: false })
  }
  if (uid !== 0 && uid !== trust.uid) {
    const message = `the file belongs to user ${uid}, who is neither root nor the daemon's`
    problems.push({ message, hint: 'chown root FILE', certain: false })
  }
  return problems
}
