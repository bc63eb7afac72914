import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './pages.ts'

/** TypeDoc needs the programming interface of the compiler, which the repository's own version does not have. */
export const API_TOOLS = ['typedoc@0.28.14', 'typedoc-plugin-markdown@4.9.0', 'typescript@5.9.3']

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, unknown>>
}

/** The published packages with an entry point. */
export function documented(): readonly { readonly name: string; readonly entry: string }[] {
  return globSync('packages/*/package.json', { cwd: root })
    .sort()
    .flatMap(file => {
      const manifest = JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest
      const entry = join(root, dirname(file), 'src/index.ts')
      const isShown =
        manifest.private !== true && manifest.exports?.['.'] !== undefined && globSync(entry).length > 0
      return isShown ? [{ name: manifest.name.replace('@kron/', ''), entry }] : []
    })
}

/** A page for each package, from the doc comments of its exports. API_TOOLS are installed in `work`. */
export function apiPages(work: string, into: string): void {
  const packages = documented()
  const entries = packages.map(({ entry }) => entry)
  const config = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      composite: false,
      noEmit: true,
      allowImportingTsExtensions: true,
      lib: ['es2024'],
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    },
    files: entries,
  }
  writeFileSync(join(work, 'tsconfig.json'), JSON.stringify(config))
  const options = {
    entryPoints: entries,
    tsconfig: join(work, 'tsconfig.json'),
    plugin: ['typedoc-plugin-markdown'],
    out: into,
    readme: 'none',
    outputFileStrategy: 'modules',
    // `npm run check:types` has checked them with the repository's own compiler.
    skipErrorChecking: true,
    disableSources: true,
    hideBreadcrumbs: true,
    hidePageHeader: true,
    hidePageTitle: true,
    excludeExternals: true,
    useHTMLAnchors: true,
    logLevel: 'Error',
  }
  writeFileSync(join(work, 'typedoc.json'), JSON.stringify(options))
  execFileSync('npx', ['typedoc', '--options', 'typedoc.json'], { cwd: work, stdio: 'inherit' })
  for (const { name } of packages) {
    const parts = globSync('**/*.md', { cwd: join(into, name) }).sort()
    const texts = parts.map(part =>
      linkedByPackage(readFileSync(join(into, name, part), 'utf8'), join(name, part)),
    )
    rmSync(join(into, name), { recursive: true })
    const head = `# API of @kron/${name}\n\nMade from the doc comments of the exports.\n`
    writeFileSync(join(into, `${name}.md`), `${head}\n${withAnchors(texts.join('\n'))}`)
  }
  rmSync(join(into, 'README.md'), { force: true })
}

/** The text with links to the page of a package instead of links to files of TypeDoc. */
const linkedByPackage = (text: string, path: string): string =>
  text.replaceAll(/\]\(([^)\s#]+\.md)(#[^)\s]*)?\)/g, (_, target: string, anchor = '') => {
    const [name] = join(dirname(path), target).split('/')
    return `](./${name}.md${anchor})`
  })

/** TypeDoc's own anchors as VitePress writes them, behind the heading. Of equal ones the first counts; each heading has one. */
function withAnchors(text: string): string {
  const used = new Set<string>()
  let given: string | undefined
  const lines = text.split('\n').flatMap(line => {
    const anchor = /^<a id="([^"]+)"><\/a>$/.exec(line)?.[1]
    if (anchor !== undefined) {
      given = anchor
      return []
    }
    if (!/^#+ /.test(line)) return [line]
    const id = given !== undefined && !used.has(given) ? given : `heading-${used.size}`
    given = undefined
    used.add(id)
    return [`${line} {#${id}}`]
  })
  return lines.join('\n')
}
