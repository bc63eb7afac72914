import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { PersistenceError } from '@kron/core'
import { type Fault, faultyDisk } from '@kron/testkit/disk/faulty-disk'
import { removeLeftovers, writeAllAtomically, writeAtomically } from './atomic-file.ts'
import { nodeDisk } from './node-disk.ts'

const root = mkdtempSync(join(tmpdir(), 'kron-atomic-'))
after(() => rmSync(root, { recursive: true }))
let count = 0
const directory = () => mkdtempSync(join(root, `${count++}-`))

test('a file is written with the mode asked for, 0600 unless said otherwise', async () => {
  const dir = directory()
  await writeAtomically(nodeDisk, `${dir}/a`, 'one')
  await writeAtomically(nodeDisk, `${dir}/a`, Buffer.from('two'))
  await writeAtomically(nodeDisk, `${dir}/b`, 'three', 0o640)
  assert.equal(readFileSync(`${dir}/a`, 'utf8'), 'two')
  assert.equal(statSync(`${dir}/a`).mode & 0o777, 0o600)
  assert.equal(statSync(`${dir}/b`).mode & 0o777, 0o640)
  assert.deepEqual(readdirSync(dir).sort(), ['a', 'b'])
})

test('many files at once are all there, with their directories synced once', async () => {
  const dir = directory()
  let synced = 0
  const disk = {
    ...nodeDisk,
    syncDirectory: (path: string) => {
      synced++
      return nodeDisk.syncDirectory(path)
    },
  }
  const files = Array.from({ length: 50 }, (_, index) => ({ path: `${dir}/${index}`, bytes: `${index}` }))
  await writeAllAtomically(disk, files)
  for (const { path, bytes } of files) assert.equal(readFileSync(path, 'utf8'), bytes)
  assert.equal(readdirSync(dir).length, 50)
  assert.equal(synced, 1)
})

test('a symbolic link is replaced, not followed, and not read through', async () => {
  const dir = directory()
  writeFileSync(`${dir}/victim`, 'untouched')
  symlinkSync(`${dir}/victim`, `${dir}/link`)
  await assert.rejects(nodeDisk.read(`${dir}/link`), { code: 'ELOOP' })
  await writeAtomically(nodeDisk, `${dir}/link`, 'mine')
  assert.equal(readFileSync(`${dir}/victim`, 'utf8'), 'untouched')
  assert.equal((await nodeDisk.stat(`${dir}/link`)).kind, 'file')
})

const failures: Fault[] = [
  { operation: 'create', code: 'EACCES', call: 1 },
  { operation: 'write', code: 'ENOSPC', call: 1, written: 2 },
  { operation: 'sync', code: 'EIO', call: 1 },
  { operation: 'close', code: 'EIO', call: 1 },
  { operation: 'rename', code: 'EROFS', call: 1 },
]
for (const fault of failures) {
  test(`when ${fault.operation} fails with ${fault.code} the old file stays and nothing is left over`, async () => {
    const dir = directory()
    await writeAtomically(nodeDisk, `${dir}/a`, 'old')
    await assert.rejects(
      writeAtomically(faultyDisk(nodeDisk, [fault]), `${dir}/a`, 'new'),
      (error: unknown) => error instanceof PersistenceError && error.message.includes(fault.code),
    )
    assert.equal(readFileSync(`${dir}/a`, 'utf8'), 'old')
    assert.deepEqual(readdirSync(dir), ['a'])
  })
}

test('when the directory cannot be synced the write has failed', async () => {
  const dir = directory()
  const disk = faultyDisk(nodeDisk, [{ operation: 'syncDirectory', code: 'EIO', call: 1 }])
  await assert.rejects(writeAtomically(disk, `${dir}/a`, 'new'), /EIO/)
})

test('leftovers of a crashed writer are removed, everything else stays', async () => {
  const dir = directory()
  for (const name of ['a', 'a.12-3.tmp', 'b.tmp', 'note-1.txt']) writeFileSync(`${dir}/${name}`, '')
  assert.deepEqual(await removeLeftovers(nodeDisk, dir), ['a.12-3.tmp'])
  assert.deepEqual(readdirSync(dir).sort(), ['a', 'b.tmp', 'note-1.txt'])
})

test('a temporary name that is taken is passed over', async () => {
  const dir = directory()
  const disk = faultyDisk(nodeDisk, [{ operation: 'create', code: 'EEXIST', call: 1 }])
  await writeAtomically(disk, `${dir}/a`, 'new')
  assert.equal(readFileSync(`${dir}/a`, 'utf8'), 'new')
})
