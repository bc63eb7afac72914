/** Programs of Debian packages that are not installed, unpacked into a directory of their own. */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** The directory that holds the files of the packages, or undefined where apt cannot fetch them. */
export function unpacked(...packages: readonly string[]): string | undefined {
  const directory = join(tmpdir(), `kron-debian-${userInfo().uid}`, packages.join('-'))
  const root = join(directory, 'root')
  if (existsSync(root)) return root
  mkdirSync(directory, { recursive: true })
  try {
    execFileSync('apt-get', ['download', '-q', ...packages], { cwd: directory, stdio: 'pipe' })
  } catch {
    return undefined
  }
  const files = join(directory, 'unpacking')
  for (const deb of globSync(join(directory, '*.deb')))
    execFileSync('dpkg', ['-x', deb, files], { stdio: 'pipe' })
  execFileSync('mv', [files, root])
  return root
}

/** The installed program, or the one of its package. */
export function debianProgram(path: string, ...packages: readonly string[]): string | undefined {
  if (existsSync(path)) return path
  const root = unpacked(...packages)
  return root === undefined ? undefined : join(root, path)
}
