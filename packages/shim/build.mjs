// Builds kron-shim for every architecture with a pinned compiler, so that everybody gets the same bytes.
//
//   node packages/shim/build.mjs           builds into packages/shim/bin and writes SHA256SUMS
//   node packages/shim/build.mjs --check   builds into a temporary directory and compares with packages/shim/bin
//
// The compiler is the `ziglang` package of PyPI. It is installed once, into the user's cache directory.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'

const zigVersion = '0.15.2'
const here = import.meta.dirname
const sources = join(here, 'src')
const bin = join(here, 'bin')

/** The targets, by the name Node gives the architecture. */
const targets = { x64: 'x86_64-linux-musl', arm64: 'aarch64-linux-musl' }

export const warnings = [
  '-Wall',
  '-Wextra',
  '-Wpedantic',
  '-Werror',
  '-Wconversion',
  '-Wshadow',
  '-Wstrict-prototypes',
  '-Wmissing-prototypes',
  '-Wvla',
]

/** The C files of the program, in a fixed order: the linker keeps it. */
export const files = readdirSync(sources)
  .filter(name => name.endsWith('.c'))
  .sort()

/** The pinned compiler as a command line; installed if it is missing. */
function compiler() {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const directory = join(cache, 'kron-zig', zigVersion)
  const python = join(directory, 'bin/python')
  const check = () => spawnSync(python, ['-m', 'ziglang', 'version'], { encoding: 'utf8' }).stdout?.trim()
  if (!existsSync(python) || check() !== zigVersion) {
    console.log(`Installing ziglang ${zigVersion} into ${directory} (once, about 80 MB) ...`)
    mkdirSync(join(cache, 'kron-zig'), { recursive: true })
    execFileSync('python3', ['-m', 'venv', '--clear', directory], { stdio: 'inherit' })
    execFileSync(python, ['-m', 'pip', 'install', '--quiet', `ziglang==${zigVersion}`], { stdio: 'inherit' })
    const found = check()
    if (found !== zigVersion) throw new Error(`expected ziglang ${zigVersion}, found ${found ?? 'none'}`)
  }
  return [python, '-m', 'ziglang', 'cc']
}

function build(directory) {
  const [command, ...prefix] = compiler()
  for (const [name, target] of Object.entries(targets)) {
    const output = join(directory, `kron-shim-linux-${name}`)
    // Relative names and no debug information: no path of this machine gets into the binary.
    const flags = [
      '-target',
      target,
      '-std=c11',
      '-D_GNU_SOURCE',
      '-Oz',
      '-static',
      '-s',
      '-flto',
      ...warnings,
    ]
    const tuning = ['-fno-stack-protector', '-fno-asynchronous-unwind-tables', '-fno-unwind-tables']
    const linking = ['-Wl,--gc-sections', '-Wl,--build-id=none']
    execFileSync(command, [...prefix, ...flags, ...tuning, ...linking, '-o', output, ...files], {
      cwd: sources,
      stdio: 'inherit',
      env: { ...process.env, SOURCE_DATE_EPOCH: '0' },
    })
  }
}

const sum = file => createHash('sha256').update(readFileSync(file)).digest('hex')
const binaries = Object.keys(targets).map(name => `kron-shim-linux-${name}`)

function check() {
  const directory = mkdtempSync(join(tmpdir(), 'kron-shim-'))
  try {
    build(directory)
    const listed = readFileSync(join(bin, 'SHA256SUMS'), 'utf8')
    for (const name of binaries) {
      const found = sum(join(bin, name))
      const expected = sum(join(directory, name))
      if (found !== expected)
        throw new Error(
          `bin/${name} is not what its sources give (${found}, expected ${expected}): run build.mjs`,
        )
      if (!listed.includes(`${found}  ${name}\n`))
        throw new Error(`bin/SHA256SUMS does not list bin/${name} as it is`)
      console.log(`${name}: same bytes, SHA-256 ${found}`)
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--check')) check()
  else {
    mkdirSync(bin, { recursive: true })
    build(bin)
    writeFileSync(
      join(bin, 'SHA256SUMS'),
      binaries.map(name => `${sum(join(bin, name))}  ${name}\n`).join(''),
    )
    for (const name of binaries) console.log(`${name}: ${readFileSync(join(bin, name)).length} bytes`)
  }
}
