/** `@kron/core` behind the protocol of the conformance kit: `node vectors/engine.js [MODULE]`. */
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { decisionOf, periodsOf } from './runner.js'

const [module] = process.argv.slice(2)
const core = await import(module === undefined ? '@kron/core' : pathToFileURL(resolve(module)).href)

for await (const line of createInterface({ input: process.stdin })) {
  const { id, kind, protocol, input } = JSON.parse(line)
  console.log(JSON.stringify({ id, ...answer(kind, protocol, input) }))
}

function answer(kind, protocol, input) {
  if (kind === 'hello') return { protocol, engine: '@kron/core' }
  try {
    return { output: kind === 'periods' ? periodsOf(core, input) : decisionOf(core, input) }
  } catch (error) {
    return { error: error.message }
  }
}
