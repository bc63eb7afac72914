import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { root } from './pages.ts'

const HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Playground | Kron</title>
    <link rel="icon" href="icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="main.css">
    <script type="module" src="playground-page.js"></script>
  </head>
  <body>
    <main>
      <h1 class="sr">Playground</h1>
      <p class="page"><a href="../concepts.html">Concepts</a> · <a href="../reference/job-file.html">every modifier</a> · all of it is computed in this page</p>
      <div id="app"></div>
    </main>
    <noscript>The playground needs JavaScript; krontab explain answers the same questions.</noscript>
  </body>
</html>
`

/** The console's playground with the engine in it: it works without a daemon. */
export function buildPlayground(into: string): void {
  const source = join(root, 'packages/console')
  mkdirSync(into, { recursive: true })
  buildSync({
    entryPoints: [join(source, 'src/playground-page.tsx'), join(source, 'src/style/main.css')],
    entryNames: '[name]',
    outdir: into,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2023',
    conditions: ['kron-source'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // The console takes its link to the icon from its own page.
    external: ['*.svg'],
  })
  cpSync(join(source, 'public/icon.svg'), join(into, 'icon.svg'))
  writeFileSync(join(into, 'index.html'), HTML)
}
