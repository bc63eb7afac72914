import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Page } from './notebook.ts'

const directory = new URL('./results/', import.meta.url)
const fileOf = (axis: string): URL => new URL(`${axis}.json`, directory)

export function storePage(page: Page): void {
  mkdirSync(directory, { recursive: true })
  writeFileSync(fileOf(page.axis), `${JSON.stringify(page, undefined, 2)}\n`)
}

export function storedPage(axis: string): Page | undefined {
  if (!existsSync(fileOf(axis))) return undefined
  return JSON.parse(readFileSync(fileOf(axis), 'utf8')) as Page
}

export function storedPages(): Page[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory)
    .filter(name => name.endsWith('.json'))
    .sort()
    .map(name => storedPage(name.slice(0, -'.json'.length))!)
}
