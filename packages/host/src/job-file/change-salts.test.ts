import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { changeSalts } from './edit.ts'
import { parseJobFile } from './parse.ts'

const change = (line: string, salt: string): string => changeSalts(line, new Map([[1, salt]]))

test('a salt is put where it belongs, and the rest of the line stays byte for byte', () => {
  const cases: [line: string, salt: string, changed: string][] = [
    ['0 2 * * *  name=a command=b', 'x', '0 2 * * * @seed(stable,salt=x)  name=a command=b'],
    [
      '@daily\t@win(after,2h) name=a command=b\r',
      '%H~3',
      '@daily\t@win(after,2h) @seed(stable,salt=%H~3) name=a command=b\r',
    ],
    [
      '0 2 * * * @seed(daily) @win(after,2h) name=a',
      'x',
      '0 2 * * * @seed(daily,salt=x) @win(after,2h) name=a',
    ],
    ['0 2 * * * @seed(weekly,salt="a) b,c=\\"d") name=a', 'x', '0 2 * * * @seed(weekly,salt=x) name=a'],
    ['0 2 * * * @seed(stable,salt=old) name=a', 'b c', '0 2 * * * @seed(stable,salt="b c") name=a'],
    ['0 2 * * * @seed(stable,salt=old) name=a', '', '0 2 * * * @seed(stable) name=a'],
    [
      '0 2 * * * name=a command="echo @seed(stable,salt=1)"',
      'x',
      '0 2 * * * @seed(stable,salt=x) name=a command="echo @seed(stable,salt=1)"',
    ],
  ]
  for (const [line, salt, changed] of cases) assert.equal(change(line, salt), changed)
})

test('only the named lines change, and only their salts', () => {
  const salt = fc.string({ maxLength: 12 }).filter(text => !/[%\n\r\t]/.test(text) && text.isWellFormed())
  const head = fc.constantFrom(
    '0 2 * * *',
    '0 2 * * * @win(after,2h) @avoid(dow=SUN)',
    '0 2 * * * @seed(daily) @tz(Europe/Paris)',
    '0 2 * * * @seed(weekly,salt="x \\\\ y") @win(after,2h)',
    '@hourly @seed(stable,salt=z)',
  )
  fc.assert(
    fc.property(fc.array(head, { minLength: 1, maxLength: 5 }), salt, fc.nat(4), (heads, text, at) => {
      const line = (at % heads.length) + 1
      const lines = heads.map((each, i) => `${each} name=job${i} command="/bin/echo @seed(daily)"`)
      const before = `# jobs\n${lines.join('\n')}\n`
      const after = changeSalts(before, new Map([[line + 1, text]]))
      const [old, fresh] = [before, after].map(file => parseJobFile(file, '/a.kron'))
      assert.deepEqual(fresh!.faults, [])
      for (const [i, entry] of fresh!.entries.entries()) {
        if (i !== line - 1) assert.equal(after.split('\n')[i + 1], before.split('\n')[i + 1])
        const { schedule } = old!.entries[i]!
        const seed = i === line - 1 ? { ...schedule.seed, salt: text } : schedule.seed
        assert.deepEqual(entry.schedule, { ...schedule, seed })
        assert.equal(entry.command, '/bin/echo @seed(daily)')
      }
    }),
    { numRuns: 1_000, seed: 1 },
  )
})
