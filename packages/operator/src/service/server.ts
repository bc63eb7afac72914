import { createServer, type Server } from 'node:http'
import type { Operator } from './operator.ts'

/** Serves probes and metrics over plain HTTP. */
export function serve(operator: Operator, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const answer = (status: number, text: string, type = 'text/plain; charset=utf-8'): void => {
      response.writeHead(status, { 'content-type': type }).end(text)
    }
    switch (request.url?.split('?', 1)[0]) {
      case '/healthz':
        return answer(200, 'ok\n')
      case '/readyz': {
        const { unready } = operator
        return unready === undefined ? answer(200, 'ok\n') : answer(503, `${unready}\n`)
      }
      case '/metrics':
        return answer(200, operator.scrape(), 'text/plain; version=0.0.4; charset=utf-8')
      default:
        return answer(404, 'not found\n')
    }
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, () => resolve(server))
  })
}
