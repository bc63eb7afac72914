import { isRefusal } from '../../../packages/krontab/src/context/refusal.ts'
import { HostLines } from '../../../packages/krontab/src/fleet/hosts-file.ts'
import { must, type Target } from '../target.ts'

/** The hosts of a text that comes in pieces of this length, or the refusal. */
function readIn(text: string, length: number): string {
  const lines = new HostLines('hosts')
  const places: unknown[] = []
  try {
    for (let at = 0; at < text.length; at += length) places.push(...lines.add(text.slice(at, at + length)))
    places.push(...lines.end())
  } catch (error) {
    if (!isRefusal(error)) throw error
    return error.message
  }
  return JSON.stringify(places)
}

export const target: Target = {
  seeds: [
    'web1.example.org 2230eae011ad462f921dfe65006f3e1e\nweb2\n# comment\n\n',
    'a b c\n',
    'web1 nothex\n',
    `${'x'.repeat(1_100)}\n`,
  ],
  tokens: 'web1 2230eae011ad462f921dfe65006f3e1e # \n \r\n \t \u00e9 \0 -'.split(/ /),
  longest: 2_500,
  run(text) {
    must(readIn(text, 1) === readIn(text, 65_536), 'pieces of any length give the same hosts')
  },
}
