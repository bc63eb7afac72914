import { crc32 } from 'node:zlib'
import { parseClaim } from '@kron/host'
import { must, type Target } from '../target.ts'

const PARTS = [1_024, 1_024, 2_048]

const END =
  'exit 3\nstarted 1000000\nended 9000000\nuser 1500\nsystem 500\nmemory 2048\nout 10\nerr 0\ndropped 0\nundelivered 0\nwhy exited\nleft 0\n'
const CLAIM = 'kron-claim 1\nexecution e-1\nboot b\nkeep 65536\n'
const PROCESSES = 'shim 10 100\ncommand 11 101\nstarted 1000000\ncgroup -\ngrace 10000\n'

const sealed = (text: string): string =>
  `${text}crc ${crc32(Buffer.from(text, 'latin1')).toString(16).padStart(8, '0')}\n`

/** The parts of a claim, divided by `|`, as the file of 4 KiB that a shim leaves. */
function fileOf(text: string): Buffer {
  const parts = text.split('|')
  return Buffer.concat(
    PARTS.map((size, i) => {
      const part = Buffer.alloc(size)
      part.write(parts[i] ?? '', 'latin1')
      return part
    }),
  )
}

/** Claim files, damaged in any way: krond reads them after a crash, to learn what ran. */
export const target: Target = {
  seeds: [
    [CLAIM, PROCESSES, END].map(sealed).join('|'),
    [CLAIM, PROCESSES].map(sealed).join('|'),
    sealed(CLAIM),
    [CLAIM, PROCESSES, END.replace('exit 3', 'signal 9')].map(sealed).join('|'),
  ],
  tokens: [
    ...END.split('\n'),
    ...CLAIM.split('\n'),
    'crc ',
    '|',
    '\n',
    '\0',
    'signal 15',
    '99999999999999999999',
  ],
  longest: 1_500,
  // Most damage breaks a checksum; half of the inputs get right ones, so that the lines themselves are tried.
  mend: input =>
    input.length % 2 === 0
      ? input
      : input
          .split('|')
          .map(part => sealed(part.replace(/crc [0-9a-f]{0,8}\n?$/, '')))
          .join('|'),
  run(text) {
    const { executionId, end, isDamaged } = parseClaim(fileOf(text))
    if (end !== undefined) {
      must(end.endedBootMs >= 0 && end.startedBootMs >= 0, 'the times of an end are numbers')
      must((end.exitCode === null) !== (end.signal === null), 'an end has an exit code or a signal')
    }
    must(isDamaged || text.includes('kron-claim 1'), 'a claim without its first line is damaged')
    must(executionId === undefined || executionId.length < 1_024, 'an execution id fits into its part')
  },
}
