/** Builds the documentation as a site: `node scripts/docs-site.ts [DIR]`. VitePress is fetched when it is needed. */
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { install, npm, root } from './packages.ts'

const VITEPRESS = 'vitepress@1.6.4'
const SECTIONS = [
  ['Guides', 'guides'],
  ['Reference', 'reference'],
  ['Decisions', 'adr'],
] as const

interface Link {
  readonly text: string
  readonly link: string
}

const target = process.argv[2] ?? join(root, 'var/site')
const work = mkdtempSync(join(tmpdir(), 'kron-site-'))
const docs = join(work, 'docs')

/** The first heading is the name of a page. */
const linkTo = (page: string): Link => ({
  text: /^# (.*)$/m.exec(readFileSync(page, 'utf8'))?.[1] ?? page,
  link: `/${relative(docs, page).replace(/\.md$/, '')}`,
})

const pagesOf = (directory: string): Link[] =>
  globSync(join(docs, directory, '*.md'))
    .sort()
    .map(linkTo)

function configuration(): object {
  return {
    title: 'Kron',
    description: 'Deterministic windowed scheduling',
    srcDir: 'docs',
    // `<path>` in a sentence is no element.
    markdown: { html: false, languageAlias: { kron: 'sh' } },
    outDir: target,
    // Links are checked by the tests, those to files outside the documents too.
    ignoreDeadLinks: true,
    themeConfig: {
      search: { provider: 'local' },
      sidebar: [
        {
          text: 'Kron',
          items: ['architecture', 'comparison', 'glossary'].map(name => linkTo(join(docs, `${name}.md`))),
        },
        ...SECTIONS.map(([text, directory]) => ({ text, items: pagesOf(directory) })),
      ],
    },
  }
}

/** The README; what it links to outside the documents is not on the site. */
const firstPage = (): string =>
  readFileSync(join(root, 'README.md'), 'utf8')
    .replaceAll('](docs/', '](./')
    .replace(/\[([^\]]+)\]\((?!\.\/|[a-z]+:)[^)]*\)/g, '$1')

try {
  install([VITEPRESS], work)
  cpSync(join(root, 'docs'), docs, { recursive: true })
  writeFileSync(join(docs, 'index.md'), firstPage())
  mkdirSync(join(work, '.vitepress'))
  writeFileSync(join(work, '.vitepress/config.mjs'), `export default ${JSON.stringify(configuration())}\n`)
  npm(work, 'exec', '--', 'vitepress', 'build', '.')
  console.log(`the site is in ${target}`)
} finally {
  rmSync(work, { recursive: true })
}
