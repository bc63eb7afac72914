import { encodeFrame, FrameReader, fieldsOf } from '@kron/host'
import { must, type Target } from '../target.ts'

const frames = (...all: readonly (readonly string[])[]): string =>
  Buffer.concat(all.map(encodeFrame)).toString('latin1')

/** Bytes from `kron-shim serve`, cut into chunks in any way. */
export const target: Target = {
  seeds: [
    frames(['started', '1', '100', '12345', '99', '1000000']),
    frames(['refused', '2', 'exec', '2'], ['ended', '1', 'exit 0']),
    frames(['request', '7', '1000', '4242', '{"request":"status"}']),
  ],
  tokens: ['\0', '\x05\0\0\0', '\xff\xff\xff\xff', 'started', 'refused', 'ended', 'already', 'request', '1'],
  longest: 300,
  run(text) {
    const bytes = Buffer.from(text, 'latin1')
    const read = (chunkSize: number): string[] | undefined => {
      const found: string[] = []
      const reader = new FrameReader(payload => found.push(JSON.stringify(fieldsOf(payload))))
      try {
        for (let at = 0; at < bytes.length; at += chunkSize) reader.push(bytes.subarray(at, at + chunkSize))
      } catch (error) {
        if (error instanceof RangeError) return undefined
        throw error
      }
      return found
    }
    const [whole, bytewise] = [read(bytes.length + 1), read(1)]
    must(JSON.stringify(whole) === JSON.stringify(bytewise), 'chunks change nothing')
  },
}
