import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { hostAccounts } from './accounts.ts'

const lines = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(line => line.includes(':'))
    .map(line => line.split(':'))

test('every user of /etc/passwd is found by name and by number', () => {
  const accounts = hostAccounts()
  const users = lines('/etc/passwd')
  for (const [name, , uid, gid, , home, shell] of users) {
    const wanted = {
      name,
      uid: Number(uid),
      gid: Number(gid),
      home: home || '/',
      shell: shell || '/bin/sh',
    }
    assert.deepEqual(accounts.findUser(name!), wanted)
    assert.equal(accounts.findUser(uid!)?.uid, Number(uid))
  }
  assert.ok(users.length > 0)
})

test('every group of /etc/group is found by name and by number', () => {
  const accounts = hostAccounts()
  for (const [name, , gid] of lines('/etc/group')) {
    assert.deepEqual(accounts.findGroup(name!), { name, gid: Number(gid) })
    assert.equal(accounts.findGroup(gid!)?.gid, Number(gid))
  }
})

test('whoever does not exist is not found, and stays not found', () => {
  const accounts = hostAccounts()
  for (const key of ['no-such-account', '', '3999999999', '99999999999999999999', '-1']) {
    assert.equal(accounts.findUser(key), undefined)
    assert.equal(accounts.findUser(key), undefined)
    assert.equal(accounts.findGroup(key), undefined)
  }
})
