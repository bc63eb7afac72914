import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FileFindings, withFindings } from './record.ts'

const findings = (mutants: number): FileFindings => ({ mutants, noticed: mutants, justified: 0, open: [] })
const at = (commit: string) => ({ date: '2026-03-01T02:00:00Z', commit })

test('a check of one file keeps the findings and the commits of the others', () => {
  const first = withFindings(undefined, { 'a.ts': findings(1), 'b.ts': findings(2) }, at('old'))
  const second = withFindings(first, { 'b.ts': findings(3) }, at('new'))
  assert.equal(second.commit, 'new')
  assert.deepEqual(second.files, {
    'a.ts': { commit: 'old', ...findings(1) },
    'b.ts': { commit: 'new', ...findings(3) },
  })
})

test('a check with the same figures is recorded at its own commit', () => {
  const first = withFindings(undefined, { 'a.ts': findings(1) }, at('old'))
  assert.equal(withFindings(first, { 'a.ts': findings(1) }, at('new')).files['a.ts']!.commit, 'new')
})
