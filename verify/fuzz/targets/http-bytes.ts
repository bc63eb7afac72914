import { Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { fuzzedService } from '../http-service.ts'
import { must, type Target } from '../target.ts'

const { service, mustBeQuiet } = await fuzzedService(false)
await service.open()
const server = service['server']!
// The listening socket must not keep the test process alive.
service['door']!.unref()

/** Raw bytes on a connection, through Node's own parser. */
export const target: Target = {
  seeds: [
    'GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'GET /api/v1/jobs?limit=1 HTTP/1.1\r\nHost: 127.0.0.1\r\nIf-None-Match: "x"\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: a.1\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc',
    'HEAD /metrics HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  ],
  tokens: [
    '\r\n',
    ...'GET HEAD POST PRI CONNECT / * HTTP/1.1 HTTP/0.9 HTTP/2.0 Host: Content-Length: Transfer-Encoding:chunked 5\r\nhello\r\n 0\r\n\r\n Expect:100-continue Connection:close Upgrade:x Last-Event-ID: /api/v1/events /api/v1/history %00 \0 \xff'.split(
      ' ',
    ),
  ],
  longest: 260,
  async run(text) {
    const connection = new Connection()
    server.emit('connection', connection)
    connection.push(Buffer.from(text, 'latin1'))
    for (let turns = 0; turns < 3; turns++) await turn()
    connection.destroy()
    mustBeQuiet()
    must(
      connection.received === '' || connection.received.startsWith('HTTP/1.'),
      'what is answered is HTTP, or nothing',
    )
    must(!connection.received.startsWith('HTTP/1.1 500'), 'no request makes the service fail')
  },
}

/** A client's connection, as far as the server sees it. */
class Connection extends Duplex {
  received = ''

  override _read(): void {}

  override _write(chunk: Buffer, _: string, done: () => void): void {
    if (this.received === '') this.received = chunk.toString('latin1', 0, 64)
    done()
  }

  setTimeout(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }
}
