import { runningOf } from '@kron/testkit/krond/http/watched-machine'
import { Machine } from '@kron/testkit/krond/simulation/machine'
import { HttpService } from '../../packages/krond/src/http/service.ts'
import { Token } from '../../packages/krond/src/http/token.ts'
import { BrokenPromiseError } from './target.ts'

export const SECRET = 'a-secret-of-some-length'

/** A daemon in memory with some history, and its HTTP service; unexpected errors of the service are thrown later. */
export async function fuzzedService(
  token: boolean,
): Promise<{ service: HttpService; mustBeQuiet: () => void }> {
  const machine = new Machine({ now: 1_772_323_200 })
  const surprises: string[] = []
  const service = new HttpService({
    address: { kind: 'tcp', host: '127.0.0.1', port: 0 },
    token: token ? new Token(SECRET) : undefined,
    now: () => machine.clock.now(),
    console: new Map(),
    warn: message => surprises.push(message),
    limits: { rate: Number.POSITIVE_INFINITY, connections: 1_000_000 },
  })
  await machine.boot([
    '*/10 * * * * @win(after,5m) name=a command=/bin/true description="first"',
    '0 * * * * @only(hours=1) name=b command=/bin/false',
  ])
  await machine.run(7_200)
  for (const event of machine.events) service.observe(event)
  service.attach(runningOf(machine))
  const mustBeQuiet = (): void => {
    const [surprise] = surprises.splice(0)
    if (surprise !== undefined) throw new BrokenPromiseError(`nothing surprises the service: ${surprise}`)
  }
  return { service, mustBeQuiet }
}
