import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { KROND } from '../packages/krond/src/cli.ts'
import { KRONTAB } from '../packages/krontab/src/program/program.ts'
import { manPages } from './man-pages.ts'

const pages = manPages()
const groff = spawnSync('groff', ['--version']).status === 0

test('every command and option of the tables is in its man page', () => {
  for (const [program, name] of [
    [KROND, 'krond.8'],
    [KRONTAB, 'krontab.1'],
  ] as const) {
    const page = pages.get(name)!.replaceAll('\\-', '-')
    for (const command of program.commands ?? []) {
      assert.match(page, new RegExp(`^\\.SS ${command.name}$`, 'm'))
      for (const option of Object.keys(command.options ?? {}))
        assert.ok(page.includes(`--${option}`), `${name}: --${option}`)
    }
  }
})

test('krontab(5) holds every modifier and field of the format', () => {
  const page = pages.get('krontab.5')!
  for (const word of [
    '@tz',
    '@win',
    '@dist',
    '@seed',
    '@policy',
    '@only',
    '@avoid',
    'inherit_env',
    'nofile',
    'umask',
  ])
    assert.ok(page.includes(word), word)
})

// Where there is no groff, the packaging tests check the pages.
for (const [name, text] of groff ? pages : []) {
  test(`groff has nothing to say against ${name}`, () => {
    const { stderr, stdout } = spawnSync('groff', ['-man', '-ww', '-Tutf8', '-Kutf8'], {
      input: text,
      encoding: 'utf8',
    })
    assert.equal(stderr, '')
    assert.ok(stdout.length > 1_000)
  })
}
