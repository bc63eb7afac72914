import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as scheduler from './index.ts'

const root = join(import.meta.dirname, '../../..')
const PAGES = [
  'packages/scheduler/README.md',
  'docs/guides/node-application.md',
  'docs/guides/testing-with-the-clock.md',
  'docs/guides/migrating-from-node-cron.md',
]

function snippetsOf(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^```[jt]s\n(.*?)^```/gms)].map(match => match[1]!)
}

/** Runs a snippet as a program. A snippet that waits for SIGTERM receives it once the snippet is ready. */
async function run(snippet: string): Promise<void> {
  // The directory is inside the repository, so that the snippet can import the package by name.
  const directory = mkdtempSync(join(root, 'packages/scheduler/dist-docs-'))
  try {
    const args = ['--conditions=kron-source', '--input-type=module-typescript']
    const child = spawn(process.execPath, args, { cwd: directory, stdio: ['pipe', 'pipe', 'pipe'] })
    let errors = ''
    child.stderr.on('data', chunk => {
      errors += String(chunk)
    })
    const exit = once(child, 'exit')
    const waits = snippet.includes('SIGTERM')
    child.stdin.end(waits ? `${snippet}\nconsole.log('ready')` : snippet)
    if (waits) {
      await Promise.race([once(child.stdout, 'data'), exit])
      child.kill('SIGTERM')
    }
    const [code] = await exit
    assert.equal(code, 0, errors)
    if (snippet.includes('fileStore')) assert.ok(existsSync(join(directory, 'var/scheduler/snapshot')))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

for (const page of PAGES) {
  for (const [index, snippet] of snippetsOf(page).entries()) {
    test(`snippet ${index + 1} of ${page} does what it says`, () => run(snippet))
  }
}

test('every page has snippets', () => {
  for (const page of PAGES) assert.ok(snippetsOf(page).length > 0, page)
})

test('the reference names everything that is exported, and every event', () => {
  const reference = readFileSync(join(root, 'docs/reference/scheduler.md'), 'utf8')
  const events = readFileSync(join(import.meta.dirname, 'event.ts'), 'utf8')
  const types = [...events.matchAll(/Plain<'(\w+)'>|readonly type: '(\w+)'/g)].map(
    ([, one, other]) => one ?? other,
  )
  assert.ok(types.length > 15)
  for (const name of [...Object.keys(scheduler), ...types])
    assert.match(reference, new RegExp(`\\b${name}\\b`), `${name} is not in the reference`)
})
