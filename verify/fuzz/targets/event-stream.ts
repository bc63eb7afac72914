import { must, type Target } from '../target.ts'

interface StreamMessage {
  readonly id: string
  readonly event: string
  readonly data: string
}
const module = new URL('../../../packages/console/src/api/event-stream.ts', import.meta.url).href
const { EventStream } = (await import(module)) as {
  EventStream: new () => { push(chunk: string): StreamMessage[] }
}

/** The live feed, cut into chunks wherever the network likes. */
export const target: Target = {
  seeds: [
    'retry: 2000\n\nid: a.1\nevent: reset\ndata: {}\n\n',
    ': beat\n\nid: a.2\ndata: {"x":1}\ndata: 2\n\n',
  ],
  tokens: [
    '\n',
    '\n\n',
    '\r\n',
    '\r',
    'data',
    'data:',
    'data: ',
    'id: ',
    'event: ',
    'retry: ',
    ': ',
    ':',
    '{}',
  ],
  longest: 160,
  run(text) {
    const lines = text.replaceAll('\r', '')
    const cut = Math.floor(lines.length / 2)
    const whole = new EventStream().push(lines)
    const parts = new EventStream()
    const both = [...parts.push(lines.slice(0, cut)), ...parts.push(lines.slice(cut))]
    must(JSON.stringify(both) === JSON.stringify(whole), 'chunks make the same messages as the whole')
    new EventStream().push(text)
  },
}
