/** The pages of the specification as data. */
import { join } from 'node:path'
import { textOf } from './pages.ts'

export interface TestRef {
  readonly path: string
  /** The title of the test as it stands in its file. */
  readonly name: string
}

export interface Clause {
  /** `STATE 4.1` */
  readonly id: string
  readonly section: string
  readonly text: string
  readonly tests: readonly TestRef[]
  /** Proofs that are no tests, such as a setting of the compiler. */
  readonly files: readonly string[]
}

export interface SpecPage {
  /** `STATE` */
  readonly name: string
  readonly path: string
  readonly clauses: readonly Clause[]
  /** Section titles without their numbers. */
  readonly sections: readonly string[]
}

export const ENGINE_AND_KROND = ['SPEC', 'STATE', 'EXECUTION', 'ERROR-MODEL']
export const SCHEDULER = ['DECLARATIVE-SCHEDULER', 'SCHEDULER-THEORY']

export function specPage(name: string): SpecPage {
  const path = `docs/spec/${name}.md`
  const clauses: { id: string; section: string; text: string; tests: TestRef[]; files: string[] }[] = []
  const sections: string[] = []
  for (const line of textOf(path).split('\n')) {
    const section = /^#{2,3} (?:\d+\. )?(.*)$/.exec(line)?.[1]
    if (section !== undefined) sections.push(section)
    const clause = /^\*\*([A-Z-]+ \d+\.\d+)\*\* (.*)$/.exec(line)
    if (clause !== null)
      clauses.push({ id: clause[1]!, section: sections.at(-1)!, text: clause[2]!, tests: [], files: [] })
    const test = /^- \[(`+)(.+)\1\]\((\S+)\)$/.exec(line)
    if (test !== null) clauses.at(-1)!.tests.push({ path: join('docs/spec', test[3]!), name: test[2]! })
    const file = /^- \[([^`].*)\]\((\.\.\/\.\.\/\S+)\)$/.exec(line)
    if (file !== null) clauses.at(-1)!.files.push(join('docs/spec', file[2]!))
  }
  return { name, path, clauses, sections }
}
