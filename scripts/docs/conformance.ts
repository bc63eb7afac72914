/** Writes the conformance tables from the specification: `npx node scripts/docs/conformance.ts`. */
import { writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root } from './pages.ts'
import { type Clause, ENGINE_AND_KROND, SCHEDULER, specPage } from './spec.ts'

const NOTE = 'Made from the [specification](SPEC) by `scripts/docs/conformance.ts`; edit the clauses there.'
const ABOUT = `Which test shows which clause. The tests in \`verify/\` and \`e2e/\` are run by \`npm run verify\`, all others by \`npm test\`.`

export function conformancePages(): ReadonlyMap<string, string> {
  return new Map([
    [
      'docs/conformance.md',
      page(
        'docs/conformance.md',
        '# Conformance of the engine and krond',
        ENGINE_AND_KROND,
        'The scheduler for Node applications has [its own table](conformance/scheduler.md).\n\n',
      ),
    ],
    [
      'docs/conformance/scheduler.md',
      page('docs/conformance/scheduler.md', '# Conformance of `@kron/scheduler`', SCHEDULER, ''),
    ],
  ])
}

function page(path: string, title: string, names: readonly string[], also: string): string {
  const to = (target: string): string => relative(dirname(path), target)
  const row = ({ id, text, tests, files }: Clause): string => {
    const shown = [
      ...tests.map(test => `\`${test.path}\` › ${test.name}`),
      ...files.map(file => `\`${file}\``),
    ]
    return `| ${id} | ${cell(text)} | ${shown.map(cell).join('<br>')} |`
  }
  const tables = names.map(name => {
    const { clauses, path: source } = specPage(name)
    const rows = clauses.filter(each => each.tests.length + each.files.length > 0).map(row)
    return `## [${name}](${to(source)})\n\n| clause | rule | shown by |\n|---|---|---|\n${rows.join('\n')}\n`
  })
  const note = NOTE.replace('SPEC', to('docs/spec/README.md'))
  return `${title}\n\n${ABOUT}\n${note}\n\n${also}${tables.join('\n')}`
}

/** Links are of the other page, and a bar would end the cell. */
const cell = (text: string): string =>
  text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll(/(?<!\\)\|/g, '\\|')

if (import.meta.main) for (const [path, text] of conformancePages()) writeFileSync(join(root, path), text)
