import assert from 'node:assert/strict'
import { chmodSync, linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { hostUsers } from '../account/accounts.ts'
import { UserJobFiles } from './user-files.ts'

const LINE = '0 1 * * * name=a command=/bin/true\n'

/** The home of the user who runs the tests, as if the daemon were another. */
function makeHome(t: TestContext) {
  const home = mkdtempSync(join(tmpdir(), 'kron-home-'))
  t.after(() => rmSync(home, { recursive: true }))
  const directory = join(home, '.config', 'krond')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  chmodSync(join(home, '.config'), 0o700)
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
  const user = { name: 'ada', uid, gid, home, shell: '/bin/sh' }
  const files = new UserJobFiles({ listUsers: () => [user], rulesDirectory: home })
  const write = (name: string, text: string): string => {
    writeFileSync(join(directory, name), text, { mode: 0o600 })
    return join(directory, name)
  }
  return { home, directory, files, write, uid }
}

test('the jobs of a user run as that user, in the home directory, with their output kept and not logged', t => {
  const { files, write, home } = makeHome(t)
  write('a.kron', LINE)
  const { entries, errors } = files.read()
  assert.deepEqual(errors, [])
  const { user, cwd, stdout, inheritEnv } = entries[0]!.settings
  assert.deepEqual([user, cwd, stdout.kind, inheritEnv], ['ada', home, 'discard', null])
})

test('a user without job files is no mistake', t => {
  const { files, directory } = makeHome(t)
  assert.deepEqual(files.read(), { files: [], entries: [], errors: [], refused: [] })
  rmSync(directory, { recursive: true })
  assert.deepEqual(files.read().errors, [])
})

test('links, hard links and files that others may write to are refused, and the other files run', t => {
  const { files, write, directory, home } = makeHome(t)
  write('good.kron', LINE)
  const elsewhere = join(home, 'elsewhere.kron')
  writeFileSync(elsewhere, LINE.replace('name=a', 'name=stolen'))
  symlinkSync(elsewhere, join(directory, 'symbolic.kron'))
  linkSync(elsewhere, join(directory, 'hard.kron'))
  chmodSync(write('open.kron', LINE), 0o622)
  mkdirSync(join(directory, 'directory.kron'))
  const { entries, refused } = files.read()
  assert.deepEqual(
    entries.map(({ path }) => path),
    [join(directory, 'good.kron')],
  )
  assert.deepEqual(
    refused.map(({ path, owner }) => [path, owner]),
    ['directory', 'hard', 'open', 'symbolic'].map(name => [join(directory, `${name}.kron`), 'ada']),
  )
})

test('fields that would use rights of the daemon are refused with a reason', t => {
  const { files, write } = makeHome(t)
  for (const field of [
    ...[
      'user=root',
      'group=0',
      'groups=0',
      'inherit_env=true',
      'nice=-1',
      'nofile=9',
      'nproc=9',
      'fsize=9',
      'core=9',
    ],
    ...['notify=command:/x', 'notify=webhook:https://example.org', 'ping=https://example.org'],
  ]) {
    write('a.kron', LINE.replace('\n', ` ${field}\n`))
    const { entries, errors } = files.read()
    assert.deepEqual([entries.length, errors.length], [0, 1], field)
  }
  write('a.kron', LINE.replace('\n', ' notify=mail:ada nice=5 stdout=file:/tmp/x\n'))
  assert.deepEqual(files.read().errors, [])
})

test('cron.deny also holds for job files', t => {
  const { files, write, home, uid } = makeHome(t)
  write('a.kron', LINE)
  writeFileSync(join(home, 'cron.deny'), 'ada\n')
  assert.equal(files.read().entries.length, uid === 0 ? 1 : 0)
})

test('the fingerprint changes with every change that matters', t => {
  const { files, write, directory } = makeHome(t)
  const seen = new Set([files.fingerprint()])
  const path = write('a.kron', LINE)
  seen.add(files.fingerprint())
  writeFileSync(path, `${LINE}# more\n`)
  seen.add(files.fingerprint())
  chmodSync(path, 0o644)
  seen.add(files.fingerprint())
  rmSync(join(directory, 'a.kron'))
  seen.add(files.fingerprint())
  assert.equal(seen.size, 5)
})

test('only people have job files of their own: no system users and no homes at the root', () => {
  const passwd = [
    'root:x:0:0::/root:/bin/sh',
    'www-data:x:33:33::/var/www:/usr/sbin/nologin',
    'nobody:x:65534:65534::/nonexistent:/usr/sbin/nologin',
    'ada:x:1000:1000::/home/ada:/bin/bash',
    'odd:x:1001:1001::/:/bin/sh',
    'broken',
  ].join('\n')
  assert.deepEqual(
    hostUsers(() => passwd).map(({ name }) => name),
    ['ada'],
  )
})
