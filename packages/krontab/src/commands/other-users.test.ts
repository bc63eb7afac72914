/** Attacks by another user of the machine on a krontab that root runs. Each of these attacks once succeeded. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
const skip = isRoot ? false : 'needs root, who acts in the directory of another user'
const PROGRAM = fileURLToPath(new URL('../bin/krontab.ts', import.meta.url))

const krontab = (words: readonly string[], env: Record<string, string> = {}) =>
  spawnSync(process.execPath, ['--conditions=kron-source', PROGRAM, ...words], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })

/** A directory of another user with that user's job file, and a secret file of root elsewhere. */
function usersPlace(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'kron-other-'))
  t.after(() => rmSync(root, { recursive: true }))
  chmodSync(root, 0o755)
  const secret = join(root, 'secret')
  writeFileSync(secret, 'the password of root\n', { mode: 0o600 })
  const home = join(root, 'home')
  mkdirSync(home, { mode: 0o755 })
  const file = join(home, 'a.kron')
  writeFileSync(file, text(), { mode: 0o644 })
  for (const path of [home, file]) chownSync(path, NOBODY, NOBODY)
  return { root, home, file, secret }
}

const text = (): string => '@daily name=a command=/bin/true\n@daily name=b command=/bin/true\n'

/** Replaces every file that root creates beside the job file with a link to root's secret, as fast as it can. */
const SWAP = `
const fs = require('node:fs')
const [home, secret] = process.argv.slice(1)
process.stdout.write('ready')
for (;;) {
  for (const name of fs.readdirSync(home)) {
    if (!name.startsWith('.')) continue
    const path = home + '/' + name
    try {
      if (fs.lstatSync(path).isSymbolicLink()) continue
      fs.symlinkSync(secret, home + '/link')
      fs.renameSync(home + '/link', path)
    } catch {}
  }
}`

test("root's krontab in a user's directory never gives a file of root to that user", { skip }, async t => {
  const { home, file, secret } = usersPlace(t)
  const before = statSync(secret)
  const attacker = spawn(process.execPath, ['-e', SWAP, home, secret], {
    uid: NOBODY,
    gid: NOBODY,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  t.after(() => attacker.kill('SIGKILL'))
  await new Promise(resolve => attacker.stdout.once('data', resolve))
  const commands = [
    ['remove', 'b', '--file', file],
    ['edit', file],
    ['add', '--file', file, '--to', home, '--replace'],
  ]
  for (let round = 0; round < 4; round++) {
    for (const words of commands) {
      writeFileSync(file, text())
      const { status, stderr } = krontab(words, { EDITOR: 'echo "# end" >>' })
      const { uid, mode } = statSync(secret)
      assert.deepEqual([uid, mode], [before.uid, before.mode], `${words[0]} changed root's file`)
      assert.equal(status, 2, stderr)
      assert.match(stderr, new RegExp(`the directory ${home} belongs to user ${NOBODY}`))
      assert.match(stderr, /hint: .*act as user 65534/)
    }
  }
  assert.equal(readFileSync(secret, 'utf8'), 'the password of root\n')
})

test('a directory that everybody may write to is refused for every change', t => {
  const root = mkdtempSync(join(tmpdir(), 'kron-open-'))
  t.after(() => rmSync(root, { recursive: true }))
  const file = join(root, 'a.kron')
  writeFileSync(file, text())
  const other = join(root, 'private')
  mkdirSync(other, { mode: 0o700 })
  writeFileSync(join(other, 'b.kron'), text())
  chmodSync(root, 0o777)
  for (const words of [
    ['remove', 'b', '--file', file],
    ['edit', file],
    ['add', '--file', join(other, 'b.kron'), '--to', root],
    ['import', '--crontab', '/dev/null', '--output', join(root, 'c.kron')],
  ]) {
    const { status, stderr } = krontab(words, { EDITOR: 'echo "# end" >>' })
    assert.equal(status, 2, `${words[0]}: ${stderr}`)
    assert.match(
      stderr,
      new RegExp(`everybody may write to the directory ${root}\n  hint: chmod o-w ${root}`),
    )
  }
  assert.equal(readFileSync(file, 'utf8'), text())
})

test('krontab run refuses a file that krond refuses', { skip }, t => {
  const { root, home, file } = usersPlace(t)
  const ran = join(root, 'ran')
  writeFileSync(file, `@daily name=a command="/usr/bin/touch ${ran}"\n`)
  const foreign = krontab(['run', 'a', '--file', file])
  assert.equal(foreign.status, 125, foreign.stderr)
  assert.match(foreign.stderr, /the file belongs to user 65534/)
  // The file belongs to root, but its directory does not: the user can put another file in its place.
  chownSync(file, 0, 0)
  const inForeign = krontab(['run', 'a', '--file', file])
  assert.equal(inForeign.status, 125, inForeign.stderr)
  assert.match(inForeign.stderr, new RegExp(`the directory ${home} belongs to user 65534`))
  assert.equal(statSync(ran, { throwIfNoEntry: false }), undefined, 'the command did not run')
  const linted = krontab(['lint', '--strict', '--file', file])
  assert.equal(linted.status, 1, linted.stdout)
  assert.match(linted.stdout, new RegExp(`the directory ${home} belongs to user 65534`))
})
