import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readJobFile } from '../../../packages/host/src/index.ts'
import { seedFiles } from '../seed-files.ts'
import { must, type Target } from '../target.ts'

const directory = mkdtempSync(join(tmpdir(), 'kron-fuzz-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
const path = join(directory, 'jobs.kron')

/** The bytes of a job file, before they are text. */
export const target: Target = {
  seeds: [
    ...seedFiles('examples/*.kron', 'latin1'),
    '\xff\xfe0\0',
    '\xef\xbb\xbf# x\n',
    '\xc3\xa4\xf0\x9f\x98\x80',
  ],
  tokens: [
    '\xc3\xa4',
    '\xf0\x9f\x98\x80',
    '\xed\xa0\x80',
    '\xc0\x80',
    '\xff',
    '\xef\xbb\xbf',
    '\0',
    '\n',
    '\r\n',
  ],
  longest: 200,
  run(text) {
    const bytes = Buffer.from(text, 'latin1')
    writeFileSync(path, bytes)
    const read = readJobFile(path)
    if (read.ok) return must(Buffer.from(read.text).equals(bytes), 'the text is the bytes')
    must(read.fault.kind === 'malformed', 'a file that is there is not unreadable')
    must((read.fault.line ?? 1) >= 1 && (read.fault.column ?? 1) >= 1, 'a bad byte has a place')
  },
}
