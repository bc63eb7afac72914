import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { LARGEST_FILE, readJobFile } from './read.ts'

const directory = mkdtempSync(join(tmpdir(), 'kron-read-'))
after(() => rmSync(directory, { recursive: true }))
const at = (name: string) => join(directory, name)

function file(name: string, content: string | Buffer): string {
  writeFileSync(at(name), content)
  return at(name)
}

function faultOf(path: string): string {
  const read = readJobFile(path)
  assert.ok(!read.ok, path)
  const { kind, line, column, message, hint } = read.fault
  assert.notEqual(hint, '')
  return `${kind}${line === undefined ? '' : ` ${line}:${column}`}: ${message}`
}

test('a regular file is read whole', () => {
  const read = readJobFile(file('a.kron', '# é😀\n'))
  assert.ok(read.ok)
  assert.equal(read.text, '# é😀\n')
  assert.equal(read.symlink, false)
  assert.equal(readJobFile(file('empty.kron', '')).ok, true)
})

test('what is not a regular file is named, and never waited for', async () => {
  assert.equal(faultOf(at('missing')), 'unreadable: there is no such file')
  assert.equal(faultOf(join(file('plain', ''), 'x')), 'unreadable: a part of the path is not a directory')
  mkdirSync(at('directory'))
  assert.equal(faultOf(at('directory')), 'unreadable: it is a directory, not a regular file')
  execFileSync('mkfifo', [at('fifo')])
  assert.equal(faultOf(at('fifo')), 'unreadable: it is a FIFO, not a regular file')
  assert.equal(faultOf('/dev/zero'), 'unreadable: it is a device, not a regular file')
  symlinkSync(at('loop'), at('loop'))
  assert.equal(faultOf(at('loop')), 'unreadable: its symbolic links form a loop')
  const server = createServer()
  await new Promise<void>(resolve => server.listen(at('socket'), resolve))
  assert.match(faultOf(at('socket')), /^unreadable: it is a socket/)
  server.close()
})

test('a symbolic link is followed and reported', () => {
  symlinkSync(file('target.kron', 'x'), at('link.kron'))
  const read = readJobFile(at('link.kron'))
  assert.ok(read.ok && read.symlink && read.text === 'x')
  execFileSync('mkfifo', [at('fifo-target')])
  symlinkSync(at('fifo-target'), at('link-to-fifo'))
  assert.equal(faultOf(at('link-to-fifo')), 'unreadable: it is a FIFO, not a regular file')
})

test('a file may have 64 MiB and no more', () => {
  const path = file('large.kron', '')
  truncateSync(path, LARGEST_FILE + 1)
  assert.equal(faultOf(path), 'malformed: the file is larger than 64 MiB (67108865 bytes)')
  writeFileSync(path, Buffer.alloc(LARGEST_FILE, '#'))
  const read = readJobFile(path)
  assert.ok(read.ok && read.text.length === LARGEST_FILE)
})

test('bytes that are no UTF-8 text are reported where they stand', () => {
  assert.equal(faultOf(file('nul', 'a\nbc\0d')), 'malformed 2:3: a NUL byte at offset 4')
  assert.equal(
    faultOf(file('utf16', Buffer.from('\uFEFFab', 'utf16le'))),
    'malformed 1:4: a NUL byte at offset 3',
  )
  assert.equal(
    faultOf(file('utf16-bom', Buffer.of(0xff, 0xfe, 0x41, 0x42))),
    'malformed 1:1: a UTF-16 byte order mark at offset 0',
  )
  assert.equal(
    faultOf(file('latin1', Buffer.from('é\né x\nü', 'latin1'))),
    'malformed 1:1: a byte that is not UTF-8 at offset 0',
  )
  const bad: [string, number[], number][] = [
    ['stray continuation bytes', [0x61, 0x0a, 0x62, 0x80, 0x80, 0x80, 0x80, 0x80], 3],
    ['a character cut off', [0xc3, 0xa9, 0x0a, 0xe2, 0x82], 3],
    ['a bad second byte', [0xf0, 0x9f, 0x98, 0x80, 0xf0, 0x28, 0x8c, 0xbc], 4],
    ['an overlong form', [0x61, 0xc0, 0x80], 1],
    ['a surrogate', [0x61, 0x62, 0xed, 0xa0, 0x80], 2],
    ['the last byte', [0x61, 0x62, 0xff], 2],
  ]
  for (const [what, bytes, offset] of bad) {
    assert.match(faultOf(file('bad', Buffer.from(bytes))), new RegExp(` at offset ${offset}$`), what)
  }
})

test('a file nobody may read says so', () => {
  const path = file('secret', '')
  chmodSync(path, 0)
  const { getuid, seteuid } = process
  // Root may read everything, so it drops its privileges for a moment.
  const isRoot = getuid?.() === 0
  if (isRoot) seteuid?.(65_534)
  try {
    assert.equal(faultOf(path), 'unreadable: permission is denied')
  } finally {
    if (isRoot) seteuid?.(0)
  }
})
