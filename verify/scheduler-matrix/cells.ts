import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  ASK_NEXT,
  CJS,
  ESM,
  JEST_CJS,
  JEST_ESM,
  NEXT,
  NODE_TEST,
  TS_JEST,
  TYPESCRIPT,
  VITEST,
} from './programs.ts'

/** A project with the packed packages and the tools, and the way to run programs in it. */
export interface Project {
  readonly directory: string
  /** Runs a program; throws with its output if it fails. */
  run(
    program: string,
    args: readonly string[],
    options?: { cwd?: string; env?: Record<string, string> },
  ): string
  bin(name: string): string
}

/** One way to use the package. */
export interface Cell {
  readonly name: string
  /** Packages besides the scheduler's own. */
  readonly needs: readonly string[]
  /** Whether it takes seconds and needs nothing from npm. */
  readonly quick?: boolean
  /** The oldest Node whose versions the tool itself supports. */
  readonly from?: number
  run(project: Project, node: string): void
}

const TYPESCRIPT_5 = ['typescript@5.9.3', '@types/node@24']

function write(project: Project, path: string, text: string): string {
  const file = join(project.directory, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

const program = (name: string, path: string, text: string, args: readonly string[] = []): Cell => ({
  name,
  needs: [],
  quick: true,
  run: (project, node) => void project.run(node, [...args, write(project, path, text)]),
})

const jest = (
  name: string,
  path: string,
  text: string,
  config: object,
  flags: readonly string[] = [],
): Cell => ({
  name,
  needs: ['jest@30', ...(name === 'ts-jest' ? ['ts-jest@29', ...TYPESCRIPT_5] : [])],
  run: (project, node) => {
    write(project, path, text)
    const directory = dirname(join(project.directory, path))
    const settings = { rootDir: directory, testEnvironment: 'node', ...config }
    const jestConfig = write(project, `${dirname(path)}/jest.config.json`, JSON.stringify(settings))
    project.run(node, [...flags, project.bin('jest/bin/jest.js'), '--config', jestConfig], { cwd: directory })
  },
})

const vitest = (pool: string): Cell => ({
  name: `Vitest ${pool}`,
  needs: ['vitest@3'],
  run: (project, node) => {
    write(project, 'vitest/kron.test.mjs', VITEST)
    const cwd = join(project.directory, 'vitest')
    project.run(node, [project.bin('vitest/vitest.mjs'), 'run', `--pool=${pool}`, '--root', cwd], { cwd })
  },
})

const typescript = (
  name: string,
  module: string,
  moduleResolution: string,
  type: string,
  run: boolean,
): Cell => ({
  name: `TypeScript ${name}`,
  needs: TYPESCRIPT_5,
  run: (project, node) => {
    const folder = `typescript-${name}`
    write(project, `${folder}/package.json`, JSON.stringify({ type }))
    write(project, `${folder}/app.ts`, TYPESCRIPT)
    const compilerOptions = {
      module,
      moduleResolution,
      target: 'es2022',
      // Without Node's own DOM-like types in `lib`, as a server has it; the package's declarations are checked, too.
      lib: ['es2023'],
      types: ['node'],
      strict: true,
      skipLibCheck: false,
      outDir: 'out',
      ...(moduleResolution === 'node10' && { ignoreDeprecations: '5.0' }),
    }
    write(project, `${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, files: ['app.ts'] }))
    const cwd = join(project.directory, folder)
    project.run(node, [project.bin('typescript/bin/tsc'), '-p', cwd])
    if (run) project.run(node, [join(cwd, 'out/app.js')])
  },
})

/** Bundles, and runs the bundle where there is no `node_modules`. */
const bundler = (
  name: string,
  needs: readonly string[],
  source: string,
  make: (project: Project, node: string, entry: string, out: string) => string,
  quick = false,
): Cell => ({
  name: `${name} bundle`,
  needs,
  quick,
  run: (project, node) => {
    const away = mkdtempSync(join(tmpdir(), 'kron-bundle-'))
    try {
      const isModule = source === ESM
      const entry = write(project, `bundles/app.${isModule ? 'mjs' : 'cjs'}`, source)
      project.run(node, [make(project, node, entry, away)], { cwd: away })
    } finally {
      rmSync(away, { recursive: true, force: true })
    }
  },
})

const esbuild = (format: 'esm' | 'cjs'): Cell =>
  bundler(
    `esbuild ${format}`,
    ['esbuild@0.28.2'],
    format === 'esm' ? ESM : CJS,
    (project, _node, entry, out) => {
      const file = join(out, format === 'esm' ? 'app.mjs' : 'app.cjs')
      const args = [
        entry,
        '--bundle',
        '--platform=node',
        `--format=${format}`,
        `--outfile=${file}`,
        '--log-level=error',
      ]
      project.run(project.bin('esbuild/bin/esbuild'), args)
      return file
    },
    true,
  )

const webpack = (source: string, kind: string): Cell =>
  bundler(`webpack ${kind}`, ['webpack@5'], source, (project, node, entry, out) => {
    const config = `
      require('webpack')({
        mode: 'production', target: 'node', entry: ${JSON.stringify(entry)}, optimization: { minimize: false },
        experiments: { topLevelAwait: true },
        output: { path: ${JSON.stringify(out)}, filename: 'app.cjs' },
      }, (error, stats) => {
        if (error || stats.hasErrors()) { console.error(error ?? stats.toString()); process.exit(1) }
      })`
    project.run(node, [write(project, 'bundles/webpack.cjs', config)])
    return join(out, 'app.cjs')
  })

const rollup = bundler(
  'rollup',
  ['rollup@4', '@rollup/plugin-node-resolve@16', '@rollup/plugin-commonjs@29'],
  ESM,
  (project, node, entry, out) => {
    const config = `
      import { rollup } from 'rollup'
      import { nodeResolve } from '@rollup/plugin-node-resolve'
      import commonjs from '@rollup/plugin-commonjs'
      const bundle = await rollup({ input: ${JSON.stringify(entry)}, plugins: [nodeResolve({ preferBuiltins: true }), commonjs()], external: /^node:/ })
      await bundle.write({ file: ${JSON.stringify(join(out, 'app.mjs'))}, format: 'es', inlineDynamicImports: true })`
    project.run(node, [write(project, 'bundles/rollup.mjs', config)])
    return join(out, 'app.mjs')
  },
)

const ncc = bundler('ncc', ['@vercel/ncc@0.45.0'], CJS, (project, node, entry, out) => {
  project.run(node, [project.bin('@vercel/ncc/dist/ncc/cli.js'), 'build', entry, '-o', out, '-q'])
  return join(out, 'index.cjs')
})

/** Next bundles the route for its server, which is copied away with the few packages that Next itself needs. */
const next: Cell = {
  name: 'Next server build',
  needs: ['next@16', 'react@19', 'react-dom@19'],
  run: (project, node) => {
    const cwd = join(project.directory, 'next')
    rmSync(cwd, { recursive: true, force: true })
    for (const [path, text] of Object.entries(NEXT)) write(project, `next/${path}`, text)
    const env = { NEXT_TELEMETRY_DISABLED: '1', CI: '1' }
    project.run(node, [project.bin('next/dist/bin/next'), 'build'], { cwd, env })
    const away = mkdtempSync(join(tmpdir(), 'kron-bundle-'))
    try {
      cpSync(join(cwd, '.next/standalone'), away, { recursive: true })
      rmSync(join(away, 'node_modules/@kron'), { recursive: true, force: true })
      project.run(node, [write(project, 'next/ask.mjs', ASK_NEXT), join(away, 'next/server.js')], {
        cwd: away,
        env,
      })
    } finally {
      rmSync(away, { recursive: true, force: true })
    }
  },
}

/** Other runtimes; their binaries come from npm. */
export const RUNTIMES: readonly Cell[] = [
  {
    name: 'Bun',
    needs: ['@oven/bun-linux-x64@1'],
    run: project => {
      for (const [path, text] of [
        ['bun/app.mjs', ESM],
        ['bun/app.cjs', CJS],
      ] as const)
        project.run(project.bin('@oven/bun-linux-x64/bin/bun'), ['run', write(project, path, text)])
    },
  },
  {
    name: 'Deno',
    needs: ['@deno/linux-x64-glibc@2'],
    run: project => {
      const args = ['run', '-A', '--no-prompt', '--node-modules-dir=manual']
      project.run(project.bin('@deno/linux-x64-glibc/deno'), [...args, write(project, 'deno/app.mjs', ESM)])
    },
  },
]

export const CELLS: readonly Cell[] = [
  program('ESM', 'plain/app.mjs', ESM),
  program('CommonJS', 'plain/app.cjs', CJS),
  program('node:test', 'node-test/kron.test.mjs', NODE_TEST, ['--test']),
  typescript('commonjs', 'commonjs', 'node10', 'commonjs', true),
  typescript('node16-cjs', 'node16', 'node16', 'commonjs', true),
  typescript('node16-esm', 'node16', 'node16', 'module', true),
  typescript('nodenext', 'nodenext', 'nodenext', 'module', true),
  typescript('bundler', 'esnext', 'bundler', 'module', false),
  jest('Jest 30', 'jest/kron.test.cjs', JEST_CJS, { testMatch: ['**/*.test.cjs'] }),
  jest('Jest 30 ESM', 'jest-esm/kron.test.mjs', JEST_ESM, { testMatch: ['**/*.test.mjs'], transform: {} }, [
    '--experimental-vm-modules',
    '--no-warnings',
  ]),
  jest('ts-jest', 'ts-jest/kron.test.ts', TS_JEST, {
    transform: {
      '\\.ts$': [
        'ts-jest',
        {
          tsconfig: {
            module: 'commonjs',
            moduleResolution: 'node10',
            ignoreDeprecations: '5.0',
            target: 'es2022',
            types: ['node'],
          },
        },
      ],
    },
  }),
  vitest('threads'),
  vitest('forks'),
  vitest('vmThreads'),
  esbuild('esm'),
  esbuild('cjs'),
  webpack(ESM, 'esm'),
  webpack(CJS, 'cjs'),
  rollup,
  ncc,
  next,
]
