/** Writes the man pages into a directory: `node scripts/man-pages.ts DIR`. One source with --help and the guide. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { KROND } from '../packages/krond/src/cli.ts'
import { KRONTAB } from '../packages/krontab/src/program/program.ts'
import { KRONCTL } from '../packages/operator/src/kronctl/command.ts'
import { commandPage } from './man/command-page.ts'
import { markdownPage } from './man/markdown-page.ts'
import { bold, item, literal } from './man/roff.ts'

const root = join(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

const files = (rows: readonly (readonly [string, string])[]): string =>
  rows.map(([path, text]) => item(bold(path), literal(text))).join('\n')

/** The pages by file name. */
export function manPages(): ReadonlyMap<string, string> {
  return new Map([
    [
      'krond.8',
      commandPage({
        program: KROND,
        section: 8,
        version,
        more: [
          [
            'Files',
            files([
              ['/etc/krond.d/*.kron', 'job files, for root'],
              ['/etc/krond.conf', 'options, one "name = value" a line'],
              ['/var/lib/krond/', 'state: one file a job, a journal and the lock'],
              ['~/.config/krond/, ~/.local/state/krond/', 'the same for other users'],
            ]),
          ],
        ],
        seeAlso: ['krontab(1)', 'krontab(5)', 'systemd(1)'],
      }),
    ],
    [
      'krontab.1',
      commandPage({
        program: KRONTAB,
        section: 1,
        version,
        more: [],
        seeAlso: ['krontab(5)', 'krond(8)', 'crontab(5)'],
      }),
    ],
    [
      'krontab.5',
      markdownPage(
        'krontab',
        5,
        version,
        'job files of krond',
        readFileSync(join(root, 'docs/guides/job-files.md'), 'utf8'),
        ['krontab(1)', 'krond(8)'],
      ),
    ],
    [
      'kronctl.1',
      commandPage({ program: KRONCTL, section: 1, version, more: [], seeAlso: ['krontab(1)', 'kubectl(1)'] }),
    ],
  ])
}

if (import.meta.main) {
  const directory = process.argv[2]
  if (directory === undefined) {
    console.error('usage: node scripts/man-pages.ts DIR')
    process.exit(2)
  }
  mkdirSync(directory, { recursive: true })
  for (const [name, text] of manPages()) writeFileSync(join(directory, name), text)
}
