import { visibleJson } from '@kron/cli'
import type { Host } from './host.ts'

export const printJson = (host: Host, value: unknown): void =>
  host.out(`${visibleJson(JSON.stringify(value, null, 2))}\n`)

export const printLines = (host: Host, lines: readonly string[]): void =>
  host.out(lines.map(line => `${line}\n`).join(''))
