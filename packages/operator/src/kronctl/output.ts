import { visibleJson } from '@kron/cli'
import { stringify } from 'yaml'
import { GROUP } from '../manifest/kronjob.ts'
import type { Terminal } from './terminal.ts'

export type Output = 'text' | 'json' | 'yaml' | 'name'

/** The output format: `-o`, as in kubectl, or the older `--format`. */
export const outputOf = (options: {
  readonly output?: string | undefined
  readonly format?: string | undefined
}): Output => (options.output ?? options.format ?? 'text') as Output

export const kronJobName = (name: string): string => `kronjob.${GROUP}/${name}`

/** Prints an object as one document in a machine-readable format. */
export function printObject(value: unknown, output: 'json' | 'yaml', terminal: Terminal, indent = 2): void {
  terminal.out(
    output === 'json'
      ? `${visibleJson(JSON.stringify(value, null, indent))}\n`
      : `---\n${stringify(value, { aliasDuplicateObjects: false })}`,
  )
}
