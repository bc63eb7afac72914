/** The executable for arm64, built on any machine and run in an emulator: `npm run verify -- arm64`. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { root, version } from '../../scripts/packages.ts'
import { buildExecutable } from './build.ts'

const work = mkdtempSync(join(tmpdir(), 'kron-arm64-'))
after(() => rmSync(work, { recursive: true }))

const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
const missing = ['aarch64-linux-gnu-strip', 'qemu-aarch64-static', 'mmdebstrap'].filter(name => !has(name))
const skip = missing.length === 0 ? false : `there is no ${missing.join(', no ')}`
/** The ELF machine number of AArch64. */
const AARCH64 = 0xb7

test('the executable for arm64 runs and chooses the same seconds as this machine', { skip }, async () => {
  const kron = await buildExecutable(work, 'arm64')
  assert.equal(readFileSync(kron).readUInt16LE(18), AARCH64)
  // The libraries that the Debian package depends on, extracted and not configured.
  const libraries = 'libc6,libstdc++6,libatomic1,libgcc-s1,tzdata'
  const place = join(work, 'root')
  execFileSync(
    'mmdebstrap',
    ['--arch=arm64', '--variant=extract', `--include=${libraries}`, 'bookworm', place],
    { stdio: 'pipe' },
  )
  const emulated = (...words: string[]): string =>
    execFileSync('qemu-aarch64-static', ['-L', place, kron, ...words], { encoding: 'utf8' })
  assert.match(emulated('krontab', '--version'), new RegExp(`^krontab ${version.replaceAll('.', '\\.')} `))
  const file = join(work, 'a.kron')
  writeFileSync(file, '*/7 * * * * @win(after,5m) @dist(normal) name=a command=/bin/true\n')
  const words = ['next', '--file', file, '--count', '20', '--at', '2026-01-01T00:00:00Z', '--format', 'json']
  const here = execFileSync(
    process.execPath,
    ['--conditions=kron-source', join(root, 'packages/krontab/src/bin/krontab.ts'), ...words],
    { encoding: 'utf8' },
  )
  assert.equal(emulated('krontab', ...words), here)
  console.log(`${Math.round(statSync(kron).size / 1e6)} MB; 20 decisions equal to those of ${process.arch}`)
})
