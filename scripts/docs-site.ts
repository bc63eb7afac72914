/**
 * Builds the documentation as a site: `node scripts/docs-site.ts [DIR]`. VitePress is fetched when it is needed; it
 * refuses dead links.
 */
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { API_TOOLS, apiPages } from './docs/api-reference.ts'
import { withoutComments } from './docs/blocks.ts'
import { buildPlayground } from './docs/playground.ts'
import { install, npm, root } from './packages.ts'

const VITEPRESS = 'vitepress@1.6.4'

interface Link {
  readonly text: string
  readonly link: string
}

/** The default theme, with enough contrast for the labels of code, and a search button that is called what it shows. */
const STYLE = `:root, .dark { --vp-code-lang-color: var(--vp-c-text-2); }
.DocSearch-Button-Keys { display: none !important; }
`
const THEME = `import DefaultTheme from 'vitepress/theme'
import './style.css'
export default DefaultTheme
`

const target = process.argv[2] ?? join(root, 'var/site')
const work = mkdtempSync(join(tmpdir(), 'kron-site-'))
const docs = join(work, 'docs')

/** The sections of the index, and the decisions on record. */
function sidebar(): { text: string; items: Link[] }[] {
  const index = readFileSync(join(root, 'docs/README.md'), 'utf8').split(/^## /m).slice(1)
  const sections = index.map(section => ({
    text: section.split('\n')[0]!,
    items: [...section.matchAll(/^- \[(.+)\]\((.+)\.md\)$/gm)].map(([, text = '', page = '']) => ({
      text,
      link: `/${page}`,
    })),
  }))
  const records = globSync('adr/*.md', { cwd: docs }).sort()
  const items = records.map(page => ({
    text: /^# (.*)$/m.exec(readFileSync(join(docs, page), 'utf8'))![1]!,
    link: `/${page.replace(/\.md$/, '')}`,
  }))
  const packages = globSync('reference/api/*.md', { cwd: docs }).sort()
  const api = packages.map(page => ({
    text: `@kron/${basename(page, '.md')}`,
    link: `/${page.replace(/\.md$/, '')}`,
  }))
  return [...sections, { text: 'API', items: api }, { text: 'Decisions', items }]
}

function configuration(): object {
  return {
    title: 'Kron',
    description: 'Deterministic windowed scheduling',
    srcDir: 'docs',
    // `<path>` in a sentence is no element.
    markdown: {
      html: false,
      languageAlias: { kron: 'sh', console: 'sh' },
      theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    },
    head: [['link', { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' }]],
    outDir: target,
    themeConfig: {
      search: { provider: 'local' },
      nav: [
        { text: 'Concepts', link: '/concepts' },
        { text: 'Playground', link: '/playground/index.html', target: '_self' },
      ],
      sidebar: sidebar(),
    },
  }
}

/** Comments and the words for the tests are not shown; files outside the documents are not on the site. */
function onSite(page: string, path: string): string {
  const seen = withoutComments(page).replace(/^( *```\w+) (?:not run|run by).*$/gm, '$1')
  return seen.replace(/\[([^\]]+)\]\(([^)#\s]+)(#[^)\s]+)?\)/g, (link, text: string, target: string) => {
    if (/^[a-z]+:/.test(target)) return link
    const inside = relative(docs, resolve(docs, dirname(path), target))
    return inside.startsWith('..') || !isFile(join(docs, inside)) ? text : link
  })
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false

/** Files that pages link to and that are no pages. */
function copyFiles(): void {
  for (const file of globSync('**/*.json', { cwd: docs }))
    cpSync(join(docs, file), join(docs, 'public', file))
  cpSync(join(root, 'packages/console/public/icon.svg'), join(docs, 'public/icon.svg'))
}

const firstPage = (): string =>
  onSite(readFileSync(join(root, 'README.md'), 'utf8').replaceAll('](docs/', '](./'), 'index.md')

try {
  install([VITEPRESS, ...API_TOOLS], work)
  cpSync(join(root, 'docs'), docs, { recursive: true })
  for (const page of globSync(join(docs, '**/*.md')))
    writeFileSync(page, onSite(readFileSync(page, 'utf8'), relative(docs, page)))
  writeFileSync(join(docs, 'index.md'), firstPage())
  apiPages(work, join(docs, 'reference/api'))
  buildPlayground(join(docs, 'public/playground'))
  copyFiles()
  mkdirSync(join(work, '.vitepress/theme'), { recursive: true })
  writeFileSync(join(work, '.vitepress/theme/index.js'), THEME)
  writeFileSync(join(work, '.vitepress/theme/style.css'), STYLE)
  writeFileSync(join(work, '.vitepress/config.mjs'), `export default ${JSON.stringify(configuration())}\n`)
  npm(work, 'exec', '--', 'vitepress', 'build', '.')
  console.log(`the site is in ${target}`)
} finally {
  rmSync(work, { recursive: true })
}
