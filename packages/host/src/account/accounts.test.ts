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

const files: Readonly<Record<string, string>> = {
  '/etc/passwd': 'root:x:0:0:root:/root:/bin/bash\nann:x:1000:100:Ann:/home/ann:\n',
  '/etc/group': 'root:x:0:\nusers:x:100:\ndocker:x:998:bob,ann\nadm:x:4:ann\n',
}

/** A host with these services, and the queries that were sent to getent. */
function hostWith(nsswitch: string | undefined, answers: Readonly<Record<string, string>> = {}) {
  const asked: string[] = []
  const accounts = hostAccounts({
    file: path => (path === '/etc/nsswitch.conf' ? nsswitch : files[path]),
    getent: (database, key) => {
      asked.push(`${database} ${key}`)
      return answers[`${database} ${key}`] ?? ''
    },
  })
  return { accounts, asked }
}

test("a user's groups are its primary group and those that list it, as login gives them", () => {
  const { accounts, asked } = hostWith('passwd: files\ngroup: files\n')
  assert.deepEqual(accounts.groupsOf(accounts.findUser('ann')!), [100, 998, 4])
  assert.deepEqual(accounts.groupsOf(accounts.findUser('root')!), [0])
  assert.deepEqual(asked, [])
})

test('accounts of a directory service are asked for by getent, each once', () => {
  const answers = {
    'passwd eve': 'eve:*:2000:2000:Eve:/home/eve:/bin/zsh\n',
    'initgroups eve': 'eve                  2000 998\n',
  }
  const { accounts, asked } = hostWith(
    'passwd: files sss # comment\ngroup: files [SUCCESS=merge] sss\n',
    answers,
  )
  const eve = accounts.findUser('eve')!
  assert.deepEqual(eve, { name: 'eve', uid: 2000, gid: 2000, home: '/home/eve', shell: '/bin/zsh' })
  assert.equal(accounts.findUser('eve'), eve)
  assert.deepEqual(accounts.groupsOf(eve), [2000, 998])
  assert.equal(accounts.findUser('ann')!.uid, 1000)
  assert.deepEqual(asked, ['passwd eve', 'initgroups eve'])
})

test('a host without nsswitch.conf or getent has its files', () => {
  const accounts = hostAccounts({ file: path => files[path], getent: () => undefined })
  assert.equal(accounts.findUser('ann')!.shell, '/bin/sh')
  assert.deepEqual(accounts.groupsOf(accounts.findUser('ann')!), [100, 998, 4])
})
