import { must, type Target } from '../target.ts'

/** As far as it is needed here; the console's own types need a browser's. */
interface Routing {
  parseRoute(hash: string): { view: string; parameters: Record<string, string> }
  printRoute(view: string, parameters: Record<string, string>): string
}
const module = new URL('../../../packages/console/src/route.ts', import.meta.url).href
const { parseRoute, printRoute } = (await import(module)) as Routing

export const target: Target = {
  seeds: [
    '#/timeline',
    '#/job?id=%2Fetc%2Fa.kron%3Aa&why=2026-03-01T02:00:00Z',
    '#/load?for=1h',
    '',
    '#/?q=a+b',
  ],
  tokens:
    '# / ? & = % %20 + overview timeline jobs load playground job id= q= run= why= sort= __proto__= constructor'.split(
      ' ',
    ),
  longest: 120,
  run(text) {
    const route = parseRoute(text)
    const again = parseRoute(printRoute(route.view, route.parameters))
    must(again.view === route.view, 'a printed route leads to the same view')
    const given = Object.entries(route.parameters).filter(([, value]) => value !== '')
    must(
      given.every(([key, value]) => again.parameters[key] === value),
      'a printed route keeps its filters',
    )
  },
}
