import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, closeSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { bootId, readProcessStat } from '../process/proc.ts'
import { livingHolder, openLockFile, writeHolder } from './lock-file.ts'

function lockPath(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'kron-lock-'))
  t.after(() => rmSync(directory, { recursive: true }))
  return join(directory, 'lock')
}

test('the holder is named by PID, start time and boot, and found as long as it lives', t => {
  const path = lockPath(t)
  assert.equal(livingHolder(path), undefined)
  const fd = openLockFile(path)
  t.after(() => closeSync(fd))
  writeFileSync(path, 'something longer than what comes, from another life\n')
  writeHolder(fd)
  assert.equal(livingHolder(path), process.pid)
  const [pid, start, boot] = readFileSync(path, 'utf8').trim().split(' ')
  for (const other of [
    `${pid} ${Number(start) - 1} ${boot}`,
    `${pid} ${start} other-boot`,
    `${pid}`,
    '',
    'x y z',
  ]) {
    writeFileSync(path, `${other}\n`)
    assert.equal(livingHolder(path), undefined, other)
  }
})

test('a process that has ended, though nobody has asked for its exit status, holds nothing', async t => {
  const path = lockPath(t)
  // The shell never waits for its child.
  const shell = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  t.after(() => shell.kill('SIGKILL'))
  const [chunk] = await once(shell.stdout, 'data')
  const pid = Number(String(chunk))
  const { startTime } = readProcessStat(pid)!
  writeFileSync(path, `${pid} ${startTime} ${bootId()}\n`)
  while (readProcessStat(pid)?.state !== 'Z') await new Promise(resolve => setTimeout(resolve, 10))
  assert.equal(livingHolder(path), undefined)
})

test('a process of another user than the file’s holds nothing, and a link is not followed', t => {
  const path = lockPath(t)
  const fd = openLockFile(path)
  writeHolder(fd)
  closeSync(fd)
  symlinkSync(path, `${path}.link`)
  assert.throws(() => livingHolder(`${path}.link`), { code: 'ELOOP' })
  assert.throws(() => openLockFile(`${path}.link`), /cannot open the lock/)
  if (process.getuid!() !== 0) return t.diagnostic('only root can give a file away')
  chownSync(path, 65_534, 65_534)
  assert.equal(livingHolder(path), undefined)
})
