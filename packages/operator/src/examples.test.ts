import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { KRONCTL } from './kronctl/command.ts'
import { runKronctl } from './kronctl/main.ts'

const root = join(import.meta.dirname, '../../..')
const examples = join(root, 'examples/kubernetes')

async function kronctl(line: string, input = ''): Promise<{ code: number; said: string }> {
  let said = ''
  const add = (text: string): void => {
    said += text
  }
  const read = (file: string): string => (file === '-' ? input : readFileSync(join(root, file), 'utf8'))
  const code = await runKronctl(line.split(' '), {
    now: 1_772_323_200,
    out: add,
    data: add,
    error: add,
    read,
  })
  return { code, said }
}

describe('the examples', () => {
  for (const file of readdirSync(examples)) {
    test(`${file} is valid and can be foretold`, async () => {
      for (const command of ['validate', 'next', 'explain', 'forecast']) {
        const { code, said } = await kronctl(`${command} -f examples/kubernetes/${file}`)
        assert.equal(code, 0, said)
      }
    })
  }
})

describe('the documents', () => {
  const documents = [
    'docs/guides/from-cronjob-to-kronjob.md',
    'docs/reference/kronjob.md',
    'docs/reference/kronctl.md',
  ]
  const text = (path: string): string => readFileSync(join(root, path), 'utf8')
  const blocks = (path: string, language: string): string[] =>
    [...text(path).matchAll(new RegExp(`^( *)\`\`\`${language}\n([\\s\\S]*?)^\\1\`\`\``, 'gm'))].map(
      match => {
        return match[2]!.replaceAll(new RegExp(`^${match[1]}`, 'gm'), '')
      },
    )

  test('every manifest in them is valid', async () => {
    const manifests = documents.flatMap(path => blocks(path, 'yaml'))
    assert.ok(manifests.length >= 2)
    for (const manifest of manifests) {
      const { code, said } = await kronctl('validate -f -', manifest)
      assert.equal(code, 0, said)
    }
  })

  test('every offline command line in the reference works', async () => {
    const lines = blocks('docs/reference/kronctl.md', 'sh').flatMap(block => block.trim().split('\n'))
    assert.ok(lines.length >= 2)
    for (const line of lines) assert.equal((await kronctl(line.replace('kronctl ', ''))).code, 0, line)
  })

  test('the reference names every command', () => {
    for (const { name } of KRONCTL.commands!)
      assert.ok(text('docs/reference/kronctl.md').includes(`kronctl ${name}`), name)
  })
})
