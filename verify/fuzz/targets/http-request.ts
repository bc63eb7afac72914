import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { fuzzedService, SECRET } from '../http-service.ts'
import { must, type Target } from '../target.ts'

const { service, mustBeQuiet } = await fuzzedService(true)
const HEAD = `GET /api/v1/x\nhost: localhost\nauthorization: Bearer ${SECRET}\n`
const PATHS =
  'status running jobs jobs?limit=1&q=a jobs/%2Fjobs.kron%3Aa plan?hours=1 decisions?job=%2Fjobs.kron%3Aa&period=2026-03-01T00:10:00Z history?job=%2Fjobs.kron%3Aa&outcome=failed&limit=2 history?before=WyJhIiwiYiIsImMiXQ forecast?for=1h&bucket=5m'.split(
    ' ',
  )
const KNOWN = new Set([200, 304, 400, 401, 403, 404, 405, 413, 414, 421, 503])

/** A request line, then headers: what Node's parser hands to the service. */
export const target: Target = {
  seeds: [
    ...PATHS.map(path => HEAD.replace('x', path)),
    ...['/healthz', '/readyz', '/metrics', '/'].map(path => HEAD.replace('/api/v1/x', path)),
    'POST /api/v1/jobs\nhost: [::1]:9723\ncontent-length: 5\n',
    'GET /\\x\nhost: localhost\n',
    'HEAD //x\nhost: a@b\norigin: http://evil\nif-none-match: *\n',
  ],
  tokens:
    '/api/v1/ jobs history plan decisions forecast status running metrics ? & = % %2F %00 %ff %E0%A4 .. // \\ # ; limit= q= after= before= job= period= outcome= for= bucket= from= to= hours= GET HEAD PUT host: origin: if-none-match: transfer-encoding: W/"x" Bearer [::1] localhost:1 \n'.split(
      / /,
    ),
  longest: 300,
  async run(text) {
    const [first = '', ...lines] = text.split('\n')
    const [method = '', ...url] = first.split(' ')
    // The live feed has no end, and is tried over a stream instead.
    if (url.join(' ').includes('/events')) return
    const request = new IncomingMessage(SOCKET)
    request.method = method
    request.url = url.join(' ')
    for (const line of lines) {
      const colon = line.indexOf(':')
      if (colon > 0) request.headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
    }
    const response = new ServerResponse(request)
    await service['handle'](request, response)
    mustBeQuiet()
    must(response.headersSent && KNOWN.has(response.statusCode), 'the answer is one of the documented ones')
  },
}

/** One for all requests: none of them sends anything over it. */
const SOCKET = Object.assign(new Socket(), { setTimeout: () => SOCKET, on: () => SOCKET })
