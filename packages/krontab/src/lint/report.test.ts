import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { krontab } from '@kron/testkit/krontab/run-krontab'

const here = mkdtempSync(join(tmpdir(), 'kron-lint-'))
after(() => rmSync(here, { recursive: true }))
const JOB = '@daily @policy(deadline=1h) name=a command=/bin/true\n'

const file = (name: string, content: string | Buffer): string => {
  writeFileSync(join(here, name), content, { mode: 0o644 })
  return name
}
const lint = (...words: string[]) => krontab(['lint', ...words], { cwd: here })

async function told(name: string, code: number, what: RegExp): Promise<void> {
  const text = await lint('--file', name)
  assert.equal(text.code, code, name)
  assert.match(code === 2 ? text.err : text.out, what)
  const { out } = await lint('--file', name, '--format', 'json')
  const { valid, errors } = JSON.parse(out)
  assert.equal(valid, false)
  assert.equal(errors.length, 1)
}

test('what cannot be read is exit 2 and a clear word', async () => {
  mkdirSync(join(here, 'directory.kron'))
  execFileSync('mkfifo', [join(here, 'fifo.kron')])
  await told('missing.kron', 2, /^error: missing\.kron: there is no such file\n/)
  await told('directory.kron', 2, /^error: directory\.kron: it is a directory, not a regular file\n/)
  await told('fifo.kron', 2, /^error: fifo\.kron: it is a FIFO, not a regular file\n/)
})

test('what is no text, or too much of it, is invalid', async () => {
  await told(
    file('binary.kron', Buffer.of(0x7f, 0x45, 0x4c, 0x46, 0, 1, 2)),
    1,
    /binary\.kron:1:5: error: a NUL byte at offset 4/,
  )
  await told(
    file('latin1.kron', Buffer.from('# caf\xe9\n', 'latin1')),
    1,
    /latin1\.kron:1:6: error: a byte that is not UTF-8/,
  )
  truncateSync(join(here, file('large.kron', '')), 64 * 1024 * 1024 + 1)
  await told('large.kron', 1, /large\.kron: error: the file is larger than 64 MiB/)
})

test('a full 64 MiB file of nonsense is answered, not choked on', async () => {
  const name = file('nonsense.kron', Buffer.alloc(64 * 1024 * 1024, 'nonsense\n'))
  const { code, out } = await lint('--file', name)
  assert.equal(code, 1)
  assert.match(out, /10000 errors are enough: the rest of the file was not checked/)
})

test('what krond would not trust is an error', async () => {
  symlinkSync(join(here, file('target.kron', JOB)), join(here, 'link.kron'))
  await told('link.kron', 1, /link\.kron: error: the file is a symbolic link/)
  assert.equal((await lint('--file', 'link.kron', '--follow-symlinks')).code, 0)
  chmodSync(join(here, file('open.kron', JOB)), 0o666)
  await told('open.kron', 1, /open\.kron: error: everybody may write to the file/)
})

test('what only the daemon can tell is a warning', async () => {
  file('foreign.kron', JOB)
  const { code, out } = await krontab(['lint', '--file', 'foreign.kron'], { cwd: here, uid: 4_000_000 })
  const own = process.getuid?.() === 0
  assert.equal(code, 0)
  assert.match(out, own ? /0 errors, 0 warnings/ : /warning: the file belongs to user/)
})

test('several files are an array of reports, and no files an empty one', async () => {
  file('one.kron', JOB)
  file('two.kron', JOB)
  const { out } = await lint(
    '--file',
    'one.kron',
    '--file',
    'two.kron',
    '--file',
    'one.kron',
    '--format',
    'json',
  )
  assert.deepEqual(
    JSON.parse(out).map((each: { file: string }) => each.file),
    ['one.kron', 'two.kron'],
  )
  mkdirSync(join(here, 'krond'))
  const none = await krontab(['lint', '--format', 'json'], {
    cwd: here,
    uid: 1000,
    env: { XDG_CONFIG_HOME: here },
  })
  assert.deepEqual([none.code, JSON.parse(none.out)], [0, []])
})

test('without --file the config directory is checked', async () => {
  writeFileSync(join(here, 'krond', 'a.kron'), JOB, { mode: 0o644 })
  const user = { cwd: '/', uid: process.getuid?.() || 1000, env: { XDG_CONFIG_HOME: here } }
  const { code, out } = await krontab(['lint', '--format', 'json'], user)
  assert.deepEqual([code, JSON.parse(out).file], [0, join(here, 'krond', 'a.kron')])
  const lost = await krontab(['lint'], { uid: 1000, env: { XDG_CONFIG_HOME: '/nowhere' } })
  assert.equal(lost.code, 2)
  assert.match(
    lost.err,
    /cannot read the config directory \/nowhere\/krond: it does not exist\n {2}hint: name files with --file/,
  )
})
