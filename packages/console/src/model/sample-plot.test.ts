import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobOf } from './periods.ts'
import { whyNoPlot } from './sample-plot.ts'

const READABLE = jobOf('/etc/krond.d/a.kron:a', '0 2 * * * @win(after,2h)')
const UNREADABLE = jobOf('/etc/krond.d/a.kron:a', '0 2 * * * @win(of,the,future)')

test('samples in a window are drawn', () => {
  assert.equal(whyNoPlot(READABLE, 0, 7_200), undefined)
})

test('a window of a single second has no plot', () => {
  assert.match(whyNoPlot(READABLE, 60, 60)!, /single second/)
})

test('a schedule that cannot be read is not called a window of a single second', () => {
  assert.match(whyNoPlot(UNREADABLE, 0, 7_200)!, /cannot read the schedule/)
})
