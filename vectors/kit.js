/**
 * The conformance kit: asks an engine, in any language, every golden case, and compares its answers.
 *
 *   node vectors/kit.js [--only NAME[,NAME]] [--timeout SECONDS] -- COMMAND [ARGUMENT]...
 *
 * README.md describes the protocol. Plain JavaScript without dependencies, for Node 20 or newer.
 */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'

export const PROTOCOL = 'kron-conformance/1'
const HERE = fileURLToPath(new URL('.', import.meta.url))
/** Requests that may be under way: enough to keep an engine busy, few enough for every pipe. */
const AHEAD = 64
const SHOWN = 5

/** Every golden case as a request with its expected answer. */
export function casesOf(only = []) {
  return readdirSync(HERE)
    .filter(file => file.endsWith('.json'))
    .map(file => file.slice(0, -'.json'.length))
    .filter(kind => only.length === 0 || only.includes(kind))
    .sort()
    .flatMap(kind =>
      JSON.parse(readFileSync(join(HERE, `${kind}.json`), 'utf8')).cases.map(each => ({ kind, ...each })),
    )
}

/** Resolves with the engine's name and the judgement of every case. */
export async function ask(command, cases, timeoutSeconds = 60) {
  const [program, ...args] = command
  const engine = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  let silent
  const failed = new Promise((_, reject) => {
    engine.once('error', error => reject(new Error(`cannot run ${program}: ${error.message}`)))
    engine.once('exit', code => reject(new Error(`the engine ended with ${code} before it had answered`)))
    silent = message => reject(new Error(message))
  })
  // A closed pipe is reported by `exit`.
  engine.stdin.on('error', () => {})
  const lines = createInterface({ input: engine.stdout })[Symbol.asyncIterator]()
  const receive = async () => {
    const timer = setTimeout(() => silent(`no answer for ${timeoutSeconds} s`), timeoutSeconds * 1_000)
    const { value, done } = await Promise.race([lines.next(), failed]).finally(() => clearTimeout(timer))
    if (done) return failed
    try {
      return JSON.parse(value)
    } catch {
      throw new Error(`not a line of JSON: ${value.slice(0, 200)}`)
    }
  }
  const send = message => engine.stdin.write(`${JSON.stringify(message)}\n`)
  try {
    send({ id: 0, kind: 'hello', protocol: PROTOCOL })
    const hello = await receive()
    if (hello.id !== 0 || hello.protocol !== PROTOCOL)
      throw new Error(`expected {"id":0,"protocol":"${PROTOCOL}"}, found ${JSON.stringify(hello)}`)
    const judged = []
    let sent = 0
    while (judged.length < cases.length) {
      for (; sent < cases.length && sent < judged.length + AHEAD; sent++)
        send({ id: sent + 1, kind: cases[sent].kind, input: cases[sent].input })
      judged.push(judge(cases[judged.length], await receive(), judged.length + 1))
    }
    return { engine: String(hello.engine ?? program), judged }
  } finally {
    engine.removeAllListeners('exit')
    engine.stdin.end()
    engine.kill()
    failed.catch(() => {})
  }
}

function judge({ kind, name, expected }, answer, id) {
  if (answer.id !== id)
    throw new Error(`expected the answer to request ${id}, found ${JSON.stringify(answer)}`)
  const verdict =
    answer.unsupported === true
      ? 'unsupported'
      : isDeepStrictEqual(answer.output, expected)
        ? 'agrees'
        : 'differs'
  return { kind, name, verdict, expected, found: answer.output ?? answer.error ?? null }
}

/** The lines of a report. */
export function report({ engine, judged }) {
  const kinds = [...new Set(judged.map(each => each.kind))]
  const lines = kinds.map(kind => {
    const own = judged.filter(each => each.kind === kind)
    const count = verdict => own.filter(each => each.verdict === verdict).length
    const unsupported = count('unsupported')
    const also = unsupported === 0 ? '' : `, ${unsupported} not supported`
    return `${kind}: ${count('agrees')} of ${own.length} agree${also}`
  })
  const wrong = judged.filter(each => each.verdict === 'differs')
  const shown = wrong
    .slice(0, SHOWN)
    .flatMap(({ kind, name, expected, found }) => [
      `${kind}: ${name}`,
      `  expected ${JSON.stringify(expected)}`,
      `  found    ${JSON.stringify(found)}`,
    ])
  const missing = judged.some(each => each.verdict === 'unsupported')
  const verdict =
    wrong.length > 0 ? `${wrong.length} differ` : missing ? 'conforms in the supported kinds' : 'conforms'
  return [...lines, ...shown, `${engine}: ${verdict}`]
}

async function main(given) {
  const dashes = given.indexOf('--')
  const options = dashes < 0 ? given : given.slice(0, dashes)
  const command = dashes < 0 ? [] : given.slice(dashes + 1)
  const option = name => (options.includes(name) ? options[options.indexOf(name) + 1] : undefined)
  if (command.length === 0) {
    console.error(
      'usage: node vectors/kit.js [--only NAME[,NAME]] [--timeout SECONDS] -- COMMAND [ARGUMENT]...',
    )
    return 2
  }
  const cases = casesOf(option('--only')?.split(',') ?? [])
  if (cases.length === 0) {
    console.error(`no golden file is called ${option('--only')}`)
    return 2
  }
  try {
    const answers = await ask(command, cases, Number(option('--timeout') ?? 60))
    for (const line of report(answers)) console.log(line)
    return answers.judged.some(each => each.verdict === 'differs') ? 1 : 0
  } catch (error) {
    console.error(`kit: ${error.message}`)
    return 2
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exitCode = await main(process.argv.slice(2))
