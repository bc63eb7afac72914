import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { claimName, claimPrefix, nominalOfClaim, parseClaim, verifiedLines } from './claim.ts'

const sealed = (lines: readonly string[]): string => {
  const text = lines.map(line => `${line}\n`).join('')
  return `${text}crc ${crc32(text).toString(16).padStart(8, '0')}\n`
}

const END = [
  ...[
    'exit 3',
    'started 1000000',
    'ended 9000000',
    'user 1500',
    'system 500',
    'memory 2048',
    'out 10',
    'err 0',
  ],
  ...['dropped 0', 'undelivered 0', 'why exited', 'left 0'],
]

function claimFile(parts: { readonly end?: readonly string[] } = {}): Buffer {
  const file = Buffer.alloc(4_096)
  file.write(sealed(['kron-claim 1', 'execution e-1', 'boot b', 'keep 65536']), 0)
  file.write(sealed(['shim 10 100', 'command 11 101', 'started 1000000', 'cgroup -', 'grace 10000']), 1_024)
  if (parts.end !== undefined) file.write(sealed(parts.end), 2_048)
  return file
}

test('a claim is named by the job and the period', () => {
  const nominal = Date.parse('2026-03-01T02:00:00Z') / 1_000
  const name = claimName('/etc/krond.d/a.kron:job', nominal)
  assert.match(name, /^[0-9a-f]{64}\.20260301T020000Z$/)
  assert.ok(name.startsWith(claimPrefix('/etc/krond.d/a.kron:job')))
  assert.equal(nominalOfClaim(name), nominal)
  for (const other of ['x', `${'a'.repeat(64)}.trigger-1`, `${'a'.repeat(64)}.20261301T020000Z`])
    assert.equal(nominalOfClaim(other), undefined, other)
})

test('a claim tells its execution and, once the command has ended, how', () => {
  const running = parseClaim(claimFile())
  assert.deepEqual([running.executionId, running.end, running.isDamaged], ['e-1', undefined, false])
  const { end, isDamaged } = parseClaim(claimFile({ end: END }))
  assert.equal(isDamaged, false)
  assert.deepEqual([end?.exitCode, end?.signal, end?.startedBootMs, end?.endedBootMs], [3, null, 1, 9])
  assert.deepEqual(
    [end?.usage.userCpuMs, end?.usage.systemCpuMs, end?.usage.peakMemoryKib, end?.why],
    [2, 1, 2048, 'exited'],
  )
})

test('every flipped bit of a claim with an end is noticed, and never makes another end of it', () => {
  const good = claimFile({ end: END })
  const whole = parseClaim(good)
  for (let bit = 0; bit < good.length * 8; bit++) {
    const bytes = Buffer.from(good)
    bytes[bit >> 3]! ^= 1 << (bit & 7)
    const claim = parseClaim(bytes)
    assert.ok(claim.isDamaged, `bit ${bit}`)
    if (claim.end !== undefined) assert.deepEqual(claim.end, whole.end, `bit ${bit}`)
  }
})

test('an end record that lacks a line, or has two ends, is none', () => {
  for (const [index, line] of END.entries())
    assert.equal(parseClaim(claimFile({ end: END.toSpliced(index, 1) })).end, undefined, line)
  assert.equal(parseClaim(claimFile({ end: [...END, 'signal 9'] })).end, undefined)
})

test('text without a checksum at its very end does not verify', () => {
  const text = sealed(['a 1'])
  assert.deepEqual(verifiedLines(text), ['a 1'])
  for (const bad of ['', 'a 1\n', `${text}x`, text.replace('a', 'b'), text.slice(0, -1)])
    assert.equal(verifiedLines(bad), undefined, JSON.stringify(bad))
})
