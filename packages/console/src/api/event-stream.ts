export interface StreamMessage {
  readonly id: string
  readonly event: string
  readonly data: string
}

/** Reads server-sent events from chunks of text. Comments, such as heartbeats, are dropped. */
export class EventStream {
  #rest = ''
  #id = ''

  push(chunk: string): StreamMessage[] {
    const blocks = (this.#rest + chunk.replaceAll('\r\n', '\n')).split('\n\n')
    this.#rest = blocks.pop()!
    return blocks.flatMap(block => this.#read(block) ?? [])
  }

  #read(block: string): StreamMessage | undefined {
    const data: string[] = []
    let event = 'message'
    for (const line of block.split('\n')) {
      const colon = line.indexOf(':')
      const field = colon < 0 ? line : line.slice(0, colon)
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
      if (field === 'data') data.push(value)
      else if (field === 'event') event = value
      else if (field === 'id') this.#id = value
    }
    return data.length === 0 ? undefined : { id: this.#id, event, data: data.join('\n') }
  }
}

/** The events of a response, chunk by chunk as they arrive. */
export async function* messagesIn(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<StreamMessage[], void, void> {
  const stream = new EventStream()
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield stream.push(value)
  }
}
