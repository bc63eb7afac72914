import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Accounts } from '../account/accounts.ts'
import { parseJobFile } from './parse.ts'
import { RunAs } from './run-as.ts'

const ann = { name: 'ann', uid: 1000, gid: 100, home: '/home/ann', shell: '/bin/bash' }
const root = { name: 'root', uid: 0, gid: 0, home: '/root', shell: '/bin/sh' }
const accounts: Accounts = {
  findUser: key => [ann, root].find(each => each.name === key || String(each.uid) === key),
  findGroup: key => (key === 'staff' || key === '50' ? { name: 'staff', gid: 50 } : undefined),
  groupsOf: ({ gid }) => [gid, 998],
}
const entry = (fields: string) =>
  parseJobFile(`@daily name=a command=/x ${fields}`, '/etc/krond.d/a.kron').entries[0]!

test('a user brings its primary group, unless another is named', () => {
  const runAs = new RunAs(accounts, true)
  assert.equal(runAs.of(entry('')), undefined)
  assert.deepEqual(runAs.of(entry('user=ann')), { ...ann, groups: [100, 998] })
  assert.deepEqual(runAs.of(entry('user=1000 group=staff')), { ...ann, gid: 50, groups: [50, 998] })
  assert.deepEqual(runAs.of(entry('group=50')), { ...root, gid: 50, groups: [50, 998] })
  assert.deepEqual(runAs.of(entry('user=ann groups=staff')), { ...ann, groups: [50] })
})

test('unknown users and groups, and a daemon that is not root, are configuration errors', () => {
  const told = (fields: string, asRoot = true) => new RunAs(accounts, asRoot).check(entry(fields))?.message
  assert.equal(told('user=bob'), 'there is no user bob')
  assert.equal(told('user=ann group=wheel'), 'there is no group wheel')
  assert.equal(told('user=ann groups=staff,wheel'), 'there is no group wheel')
  assert.equal(told('user=ann', false), 'user=, group= and groups= need root')
  assert.equal(told('', false), undefined)
  assert.throws(() => new RunAs(accounts, true).of(entry('user=bob')), /there is no user bob/)
})
