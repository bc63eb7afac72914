import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { PathTrust } from './path-trust.ts'
import { readJobFile } from './read.ts'

const uid = process.getuid?.() ?? 0
const gid = process.getgid?.() ?? 0
const NOBODY = 65_534
const notRoot = uid === 0 ? false : 'only root can give a file away'

function place(t: TestContext): { directory: string; file: string } {
  const root = mkdtempSync(join(tmpdir(), 'kron-trust-'))
  t.after(() => rmSync(root, { recursive: true }))
  const directory = join(root, 'jobs')
  mkdirSync(directory, { mode: 0o755 })
  const file = join(directory, 'a.kron')
  writeFileSync(file, '@daily name=a command=/bin/true\n', { mode: 0o644 })
  return { directory, file }
}

function told(path: string, followSymlinks = false): string[] {
  const read = readJobFile(path)
  assert.ok(read.ok)
  return new PathTrust({ uid, gid, followSymlinks }).problemsOf(path, read).map(each => each.message)
}

test('a file of our own in a directory of our own below /tmp is trusted', t => {
  assert.deepEqual(told(place(t).file), [])
})

test('a directory that everybody may write to is refused, wherever it is on the path', t => {
  const { directory, file } = place(t)
  chmodSync(directory, 0o777)
  const problems = told(file)
  assert.match(problems.join('\n'), new RegExp(`everybody may write to the directory ${directory}`))
  chmodSync(directory, 0o755)
  chmodSync(join(directory, '..'), 0o777)
  assert.match(told(file).join('\n'), /everybody may write to the directory/)
})

test('a sticky directory is accepted if the next name on the path is ours', t => {
  const { directory, file } = place(t)
  chmodSync(join(directory, '..'), 0o1777)
  assert.deepEqual(told(file), [])
})

test("another user's name in a sticky directory is refused", { skip: notRoot }, t => {
  const { directory, file } = place(t)
  chmodSync(join(directory, '..'), 0o1777)
  chownSync(directory, NOBODY, NOBODY)
  assert.deepEqual(told(file), [
    `the directory ${directory} belongs to user ${NOBODY}, who is neither root nor the daemon's`,
  ])
})

test('a link in the path is followed, and both ways must be safe', { skip: notRoot }, t => {
  const { directory, file } = place(t)
  const link = join(directory, '..', 'link')
  symlinkSync(directory, link)
  assert.deepEqual(told(join(link, 'a.kron')), [])
  chownSync(directory, NOBODY, NOBODY)
  assert.match(told(join(link, 'a.kron')).join(), /belongs to user 65534/)
  chownSync(directory, uid, gid)
  const open = join(directory, 'open')
  mkdirSync(open, { mode: 0o755 })
  chownSync(open, NOBODY, NOBODY)
  symlinkSync(file, join(open, 'b.kron'))
  assert.match(told(join(open, 'b.kron'), true).join(), /the directory .*open belongs to user 65534/)
})

test('a link that leads back to itself ends in an answer', t => {
  const { directory, file } = place(t)
  symlinkSync('..', join(directory, 'up'))
  assert.deepEqual(told(join(directory, 'up', 'jobs', 'a.kron')), told(file))
})

/** The reason why this cannot be tested here; false if it can. */
function noAcl(path: string): string | false {
  const { status, error, stderr } = spawnSync('setfacl', ['-m', `u:${NOBODY}:r`, path], { encoding: 'utf8' })
  if (error !== undefined) return 'setfacl is not installed (Debian: apt install acl)'
  return status === 0 ? false : `the file system has no ACLs: ${stderr.trim()}`
}

test('an ACL that lets another user write is refused, on the file and on a directory', t => {
  const { directory, file } = place(t)
  const why = noAcl(file)
  if (why) return t.skip(why)
  assert.deepEqual(told(file), [], 'an ACL that only lets another user read is harmless')
  spawnSync('setfacl', ['-m', `u:${NOBODY}:rw`, file])
  assert.deepEqual(told(file), [`other users may write to the file, through its group ${gid} or an ACL`])
  spawnSync('setfacl', ['-b', file])
  assert.deepEqual(told(file), [])
  spawnSync('setfacl', ['-m', `u:${NOBODY}:rwx`, directory])
  assert.deepEqual(told(file), [
    `other users may write to the directory ${directory}, through its group ${gid} or an ACL`,
  ])
})
