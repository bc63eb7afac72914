import { crc32 } from 'node:zlib'
import { ChangeReader, changeTexts } from '../../../packages/scheduler/src/store/file/change-text.ts'
import {
  footerLine,
  headerLine,
  readSnapshot,
  recordLine,
  SnapshotFormatError,
} from '../../../packages/scheduler/src/store/file/snapshot-text.ts'
import { readRecord } from '../../../packages/scheduler/src/task/read-record.ts'
import type { TaskRecord } from '../../../packages/scheduler/src/task/record.ts'
import { must, type Target } from '../target.ts'

const task: TaskRecord = {
  name: 'a',
  cronExpression: '* * * * *',
  retryDelayMs: 5,
  firstSeenAt: 1,
  firstMinuteWaived: true,
  lastAttemptAt: 2,
  lastSuccessAt: 3,
  lastFailureAt: 4,
  pendingRetryUntil: 5,
  runningBy: 'x',
}
const small = { name: 'b', cronExpression: '1 2 * * *', retryDelayMs: 0, firstSeenAt: 7 }

/** The contents that the file store finds when it opens: a snapshot, or a record of its journal. */
export const target: Target = {
  seeds: [
    ...changeTexts({ put: [task, small], remove: ['c'] }),
    ...changeTexts({ put: [task, small], remove: ['c'] }, 1),
    headerLine() + recordLine(task) + recordLine(small) + footerLine(2),
    headerLine() + footerLine(0),
  ],
  tokens: [
    ...Object.keys(task).map(key => `"${key}":`),
    ...'null true [] {} [null] "" "x" 0 -1 1e400 , : C B P E {"put":[],"remove":[]} {"end":1} "version":2 \n'.split(
      / /,
    ),
  ],
  longest: 500,
  mend: text => (text.includes('\n') ? text.split('\n').map(mendLine).join('\n') : text),
  run(text) {
    readTheSnapshot(text)
    try {
      for (const { put } of new ChangeReader().read(text)) for (const value of put) readTheRecord(value)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
  },
}

function readTheSnapshot(text: string): void {
  let damages = 0
  try {
    readSnapshot(Buffer.from(text), {
      onRecord: readTheRecord,
      onDamage: (_, error) => {
        damages++
        must(error.message !== '', 'damage has a reason')
      },
    })
  } catch (error) {
    if (!(error instanceof SnapshotFormatError)) throw error
  }
  must(damages <= text.length + 1, 'damages are bounded')
}

function readTheRecord(value: unknown): void {
  const record = readRecord(value)
  if (record instanceof Error) return
  must(JSON.stringify(readRecord(record)) === JSON.stringify(record), 'a record is read as it was written')
}

const mendLine = (line: string): string =>
  line.length < 10 ? line : `${crc32(line.slice(9)).toString(16).padStart(8, '0')} ${line.slice(9)}`
