import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { runKronctl } from '../kronctl/main.ts'
import { convertCronJobs } from './convert.ts'

/** Each manifest of the corpus must convert to exactly its golden file. `UPDATE_GOLDEN=1` rewrites the golden files. */
const corpus = fileURLToPath(new URL('../../corpus/', import.meta.url))
const names = readdirSync(`${corpus}cronjob`).sort()
const NOW = Date.parse('2026-03-01T00:00:00Z') / 1000

test('the corpus holds at least ten manifests', () => {
  assert.ok(names.length >= 10)
})

for (const name of names) {
  test(`kronctl convert -f cronjob/${name} gives its golden result`, async () => {
    let [out, error] = ['', '']
    const code = await runKronctl(['convert', '-f', `cronjob/${name}`], {
      now: NOW,
      out: text => {
        out += text
      },
      data: text => {
        out += text
      },
      error: text => {
        error += text
      },
      read: file => readFileSync(corpus + file, 'utf8'),
    })
    const result = `exit ${code}\n\n== the new file\n${out}\n== the report\n${error}`
    const golden = `${corpus}golden/${name}.txt`
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, result)
    else assert.ok(existsSync(golden), `${golden} is missing`)
    assert.equal(result, readFileSync(golden, 'utf8'))
  })
}

/** Real manifests with parts deleted, duplicated, swapped and replaced by noise. */
const mutated = fc
  .array(
    fc
      .tuple(
        fc.constantFrom(...names.map(name => readFileSync(`${corpus}cronjob/${name}`, 'utf8'))),
        fc.nat(),
        fc.nat(),
        fc.string({ unit: 'binary', maxLength: 12 }),
      )
      .map(([text, a, b, noise]) => {
        const [from, to] = [a % (text.length + 1), b % (text.length + 1)].sort((x, y) => x - y)
        return text.slice(0, from) + noise + text.slice(to)
      }),
    { minLength: 1, maxLength: 3 },
  )
  .map(parts => parts.join('\n'))

test('no manifest makes the conversion crash', () => {
  fc.assert(
    fc.property(fc.oneof(mutated, fc.string({ unit: 'binary', maxLength: 200 })), text => {
      const { remarks } = convertCronJobs('x.yaml', text, NOW)
      assert.ok(remarks.every(({ line }) => line >= 0))
    }),
    { numRuns: 500, seed: 8 },
  )
})

test('an object with an anchor that cannot be printed is refused with its line and the reason, the others stay', () => {
  const { text, remarks } = convertCronJobs('x.yaml', 'kind: A\n---\nkind: &\u2028 B\n---\nkind: C\n', NOW)
  const reason = 'it cannot be printed: Anchor must not contain whitespace or control characters'
  assert.deepEqual(
    remarks.map(({ kind, line, message }) => `${kind} ${line}: ${message}`),
    [`lost 3: ${reason}: "\u2028"`],
  )
  // YAML 1.1, which kubectl reads, ends a comment at U+2028.
  assert.equal(text, `# lost: line 3: ${reason}: "?"\nkind: A\n---\nkind: C\n`)
})

test('a CronJob with such an anchor is converted, because a KronJob is printed without anchors', () => {
  const convert = (anchor: string): string =>
    convertCronJobs(
      'x.yaml',
      readFileSync(`${corpus}cronjob/plain.yaml`, 'utf8').replace('kind: CronJob', `kind: ${anchor}CronJob`),
      NOW,
    ).text
  assert.match(convert(''), /^kind: KronJob$/m)
  assert.equal(convert('&\u2028 '), convert(''))
})
