import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../..')
const PAGE = 'docs/reliability/blind-spots.md'

/** The interfaces that stand between the logic of a package and the world. */
const PORTS = [
  { section: 'krond', file: 'packages/krond/src/effects/ports.ts', name: 'Ports', notPorts: [] },
  {
    section: 'krond',
    file: 'packages/krond/src/effects/daemon.ts',
    name: 'DaemonParts',
    notPorts: ['hash', 'debug', 'maxConcurrent', 'longestSearchMs'],
  },
  {
    section: 'kron-operator',
    file: 'packages/operator/src/controller/context.ts',
    name: 'Ports',
    notPorts: ['salt', 'random'],
  },
  {
    section: '@kron/scheduler',
    file: 'packages/scheduler/src/options.ts',
    name: 'SchedulerOptions',
    notPorts: ['schedules', 'timeZone', 'namespace', 'maxConcurrent', 'stopGrace'],
  },
  {
    section: '@kron/scheduler',
    file: 'packages/scheduler/src/store/file/file-store.ts',
    name: 'FileStorePorts',
    notPorts: ['smallestFold'],
  },
]

/** The properties of an interface and those that it picks from others (`extends Pick<…>`), from its source. */
function propertiesOf(file: string, name: string): string[] {
  const source = readFileSync(join(root, file), 'utf8')
  const [, bases, body] = new RegExp(`interface ${name}\\s([^{]*)\\{\\n(.*?)\\n\\}`, 's').exec(source) ?? []
  assert.ok(body, `${file} has no interface ${name}`)
  const picked = [...bases!.matchAll(/'(\w+)'/g)]
  return [...picked, ...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(match => match[1]!)
}

/** The rows of the page: section and port → the linked files. */
function rows(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  let section = ''
  for (const line of readFileSync(join(root, PAGE), 'utf8').split('\n')) {
    if (line.startsWith('## ')) section = line.slice(3)
    const port = /^\| `(\w+)`/.exec(line)?.[1]
    if (port === undefined) continue
    const cell = line.split('|').at(-2)!
    const links = [...cell.matchAll(/\]\(([^)#]+)\)/g)].map(match => join(root, dirname(PAGE), match[1]!))
    found.set(`${section} ${port}`, links)
  }
  return found
}

const page = rows()

for (const { section, file, name, notPorts } of PORTS)
  test(`${section}: the page of blind spots has a row for every port of ${name}`, () => {
    const properties = propertiesOf(file, name)
    assert.ok(properties.length > 1)
    const missing = properties.filter(each => !notPorts.includes(each) && !page.has(`${section} ${each}`))
    assert.deepEqual(missing, [], `${PAGE} has no row for these ports of ${file}`)
  })

test('every row names a test that exists, and no model', () => {
  for (const [row, links] of page) {
    assert.ok(links.length > 0, `${row} names no test with the real thing`)
    for (const link of links) {
      assert.ok(existsSync(link), `${row} links ${link}, which does not exist`)
      assert.match(link, /\.(test|e2e|cluster|postgres)\.ts$/, `${row}: ${link} is no test`)
      assert.doesNotMatch(link, /simulation|\/model\//, `${row}: ${link} runs a model`)
    }
  }
})
