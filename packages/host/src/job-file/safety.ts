import type { Stats } from 'node:fs'

/** The trusted owner of job files: the daemon's user and group. */
export interface Trust {
  readonly uid: number
  readonly gid: number
  readonly followSymlinks: boolean
}

export interface SafetyProblem {
  readonly message: string
  readonly hint: string
  /** Whether the problem exists for every user that the daemon may run as. */
  readonly certain: boolean
}

/** A file, a directory or a link on the way to a job file. */
export interface PathNode {
  readonly kind: 'file' | 'directory' | 'link'
  readonly path: string
  readonly stats: Pick<Stats, 'mode' | 'uid' | 'gid'>
}

const STICKY = 0o1000
const GROUP_WRITE = 0o020
const WORLD_WRITE = 0o002

/**
 * The problems that let a user other than root and the daemon's user change this part of a path; pure.
 *
 * With a POSIX ACL, the group bits of the mode are the ACL's mask: no named user or group can write unless the group
 * write bit is set. So the ACL of a file without that bit is not examined, and a file with it is refused unless
 * `groupIsHarmless` proves that there is no ACL and that the group has no other member.
 *
 * In a directory with the sticky bit others can add names, but not replace names of the trusted users.
 */
export function safetyProblems(
  { kind, path, stats: { mode, uid, gid } }: PathNode,
  trust: Trust,
  groupIsHarmless: () => boolean,
): SafetyProblem[] {
  const name = kind === 'file' ? 'the file' : `the ${kind} ${path}`
  const problems: SafetyProblem[] = []
  if (uid !== 0 && uid !== trust.uid) {
    const message = `${name} belongs to user ${uid}, who is neither root nor the daemon's`
    problems.push({ message, hint: `chown root ${path}, or act as user ${uid}`, certain: false })
  }
  // The mode of a link has no meaning.
  if (kind === 'link' || (kind === 'directory' && (mode & STICKY) !== 0)) return problems
  if ((mode & WORLD_WRITE) !== 0) {
    problems.push({ message: `everybody may write to ${name}`, hint: `chmod o-w ${path}`, certain: true })
  }
  if ((mode & GROUP_WRITE) !== 0 && (gid !== trust.gid || !groupIsHarmless())) {
    const message =
      gid === trust.gid
        ? `other users may write to ${name}, through its group ${gid} or an ACL`
        : `the group ${gid} may write to ${name} and is not the daemon's`
    problems.push({ message, hint: `chmod g-w ${path}`, certain: false })
  }
  return problems
}
