import assert from 'node:assert/strict'
import { chmodSync, linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { CrontabReader } from './reader.ts'

const { uid, gid, username } = userInfo()

function makePlace(context: TestContext): { system: string; spool: string; reader: CrontabReader } {
  const directory = mkdtempSync(join(tmpdir(), 'crontabs-'))
  context.after(() => rmSync(directory, { recursive: true }))
  const [system, spool] = [join(directory, 'cron.d'), join(directory, 'spool')]
  mkdirSync(system)
  mkdirSync(spool)
  const sources = { system: [system], users: [spool], cronDirectories: false, windowNs: 0 }
  return { system, spool, reader: new CrontabReader(sources, { uid, gid }) }
}

const LINE = `* * * * * ${username} true\n`

test('cron.d files are read if run-parts would read their names', t => {
  const { system, reader } = makePlace(t)
  for (const name of ['good', 'GOOD_2', 'package.dpkg-old', 'backup~', '.placeholder', 'a.cron'])
    writeFileSync(join(system, name), LINE)
  assert.deepEqual(
    reader.read().files.map(path => basename(path)),
    ['GOOD_2', 'good'],
  )
})

test('a file that others may write, or a link to one, is refused and the others are read', t => {
  const { system, spool, reader } = makePlace(t)
  writeFileSync(join(system, 'good'), LINE)
  writeFileSync(join(system, 'loose'), LINE)
  chmodSync(join(system, 'loose'), 0o666)
  symlinkSync(join(system, 'loose'), join(system, 'linked'))
  mkdirSync(join(system, 'directory'))
  writeFileSync(join(spool, username), '* * * * * true\n', { mode: 0o644 })
  const { entries, refused } = reader.read()
  assert.deepEqual(
    entries.map(({ path }) => basename(path)),
    ['good', username],
  )
  assert.deepEqual(
    refused.map(({ path }) => basename(path)),
    ['linked', 'loose'],
  )
})

test('the crontab of a user is a plain file with one name, never a link', t => {
  const { spool, system, reader } = makePlace(t)
  writeFileSync(join(system, 'secret'), '* * * * * true\n', { mode: 0o600 })
  symlinkSync(join(system, 'secret'), join(spool, username))
  assert.match(reader.read().errors.map(String).join('\n'), /it is a link/)
  rmSync(join(spool, username))
  linkSync(join(system, 'secret'), join(spool, username))
  assert.match(reader.read().errors.map(String).join('\n'), /it is a link/)
})

test('a crontab named by nobody is refused with the reason', t => {
  const { spool, reader } = makePlace(t)
  writeFileSync(join(spool, 'no-such-user-here'), '* * * * * true\n', { mode: 0o600 })
  const { errors, refused } = reader.read()
  assert.match(String(errors[0]), /there is no user "no-such-user-here"/)
  assert.deepEqual(refused, [{ path: join(spool, 'no-such-user-here'), owner: 'no-such-user-here' }])
})

test('the fingerprint changes when a crontab appears, changes or goes, and not otherwise', t => {
  const { system, spool, reader } = makePlace(t)
  const seen = [reader.fingerprint()]
  assert.equal(reader.fingerprint(), seen[0])
  const changes = [
    () => writeFileSync(join(system, 'a'), LINE),
    () => writeFileSync(join(system, 'a'), LINE + LINE),
    () => chmodSync(join(system, 'a'), 0o600),
    () => writeFileSync(join(spool, username), LINE),
    () => rmSync(join(system, 'a')),
  ]
  for (const change of changes) {
    change()
    seen.push(reader.fingerprint())
  }
  assert.equal(new Set(seen).size, seen.length)
})
