import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safetyProblems } from './safety.ts'

const trust = { uid: 1000, gid: 1000, followSymlinks: false }
const own = { mode: 0o100644, uid: 1000, gid: 1000 }
const told = (stats: Partial<typeof own>, symlink = false, by: Partial<typeof trust> = {}) =>
  safetyProblems({ ...own, ...stats }, symlink, { ...trust, ...by }).map(
    each => `${each.certain ? 'certain' : 'perhaps'}: ${each.message}`,
  )

test("the daemon's own files and root's are trusted", () => {
  assert.deepEqual(told({}), [])
  assert.deepEqual(told({ uid: 0, gid: 0 }), [])
  assert.deepEqual(told({ mode: 0o100664 }), [], "writable by the daemon's own group")
})

test('each way in which others could change a file is named', () => {
  assert.deepEqual(told({ mode: 0o100646 }), ['certain: everybody may write to the file'])
  assert.deepEqual(told({ mode: 0o100664, gid: 50 }), [
    "perhaps: the group 50 may write to the file and is not the daemon's",
  ])
  assert.deepEqual(told({ uid: 1001 }), [
    "perhaps: the file belongs to user 1001, who is neither root nor the daemon's",
  ])
  assert.deepEqual(told({}, true), ['certain: the file is a symbolic link'])
  assert.deepEqual(told({}, true, { followSymlinks: true }), [])
  assert.equal(told({ mode: 0o100666, uid: 7, gid: 7 }, true).length, 4)
})
