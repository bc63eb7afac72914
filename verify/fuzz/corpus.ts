import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `corpus`: inputs that reach every branch reached so far. `findings`: those that broke a promise once. */
export type Shelf = 'corpus' | 'findings'

const pathOf = (shelf: Shelf, target: string): string =>
  fileURLToPath(new URL(`${shelf}/${target}.json`, import.meta.url))

export function readInputs(shelf: Shelf, target: string): string[] {
  const path = pathOf(shelf, target)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as string[]) : []
}

/** One input a line, so that a change shows what it changed. */
export function writeInputs(shelf: Shelf, target: string, inputs: readonly string[]): void {
  const path = pathOf(shelf, target)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `[\n${inputs.map(input => `  ${asciiJson(input)}`).join(',\n')}\n]\n`)
}

export function addFinding(target: string, input: string): void {
  const known = readInputs('findings', target)
  if (!known.includes(input)) writeInputs('findings', target, [...known, input])
}

const asciiJson = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
