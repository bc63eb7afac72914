import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPrivateGroup } from './private-group.ts'
import { type PathNode, safetyProblems } from './safety.ts'

const trust = { uid: 1000, gid: 1000, followSymlinks: false }
const own = { mode: 0o100644, uid: 1000, gid: 1000 }
const told = (stats: Partial<typeof own>, kind: PathNode['kind'] = 'file', harmless = false) =>
  safetyProblems({ kind, path: '/etc/jobs', stats: { ...own, ...stats } }, trust, () => harmless).map(
    each => `${each.certain ? 'certain' : 'perhaps'}: ${each.message}`,
  )

test("the daemon's own files and root's are trusted", () => {
  assert.deepEqual(told({}), [])
  assert.deepEqual(told({ uid: 0, gid: 0 }), [])
  assert.deepEqual(told({ mode: 0o100664 }, 'file', true), [], "writable by the daemon's private group")
})

test('each way in which others could change a file is named', () => {
  assert.deepEqual(told({ mode: 0o100646 }), ['certain: everybody may write to the file'])
  assert.deepEqual(told({ mode: 0o100664, gid: 50 }, 'file', true), [
    "perhaps: the group 50 may write to the file and is not the daemon's",
  ])
  assert.deepEqual(told({ mode: 0o100664 }), [
    'perhaps: other users may write to the file, through its group 1000 or an ACL',
  ])
  assert.deepEqual(told({ uid: 1001 }), [
    "perhaps: the file belongs to user 1001, who is neither root nor the daemon's",
  ])
  assert.equal(told({ mode: 0o100666, uid: 7, gid: 7 }).length, 3)
})

test('a directory is named, a sticky one may be writable, a link has an owner only', () => {
  assert.deepEqual(told({ mode: 0o40777 }, 'directory').length, 2)
  assert.deepEqual(told({ mode: 0o41777, uid: 0, gid: 0 }, 'directory'), [])
  assert.deepEqual(told({ mode: 0o41777, uid: 7 }, 'directory'), [
    "perhaps: the directory /etc/jobs belongs to user 7, who is neither root nor the daemon's",
  ])
  assert.deepEqual(told({ mode: 0o120777 }, 'link'), [])
  assert.equal(told({ mode: 0o120777, uid: 7 }, 'link').length, 1)
})

test('a group is private only if the account files say so', () => {
  const passwd = 'root:x:0:0::/root:/bin/sh\nann:x:1000:1000::/home/ann:/bin/sh\nbob:x:1001:100::/:/bin/sh\n'
  const group = 'root:x:0:\nann:x:1000:ann\nusers:x:100:\nshared:x:50:ann,bob\n'
  const files = { passwd, group }
  assert.equal(isPrivateGroup(1000, 1000, files), true)
  assert.equal(isPrivateGroup(0, 0, files), true)
  assert.equal(isPrivateGroup(100, 1000, files), false, "another user's primary group")
  assert.equal(isPrivateGroup(50, 1000, files), false, 'a group with another member')
  assert.equal(isPrivateGroup(4711, 1000, files), false, 'a group of which the files know nothing')
  assert.equal(isPrivateGroup(1000, 4711, files), false, 'a user of whom the files know nothing')
  const lodger = { passwd: `${passwd}eve:x:1002:1000::/:/bin/sh\n`, group }
  assert.equal(isPrivateGroup(1000, 1000, lodger), false, 'somebody else has it as the primary group')
})
