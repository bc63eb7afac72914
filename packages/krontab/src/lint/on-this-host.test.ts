import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { krontab } from '@kron/testkit/krontab/run-krontab'

const here = realpathSync(mkdtempSync(join(tmpdir(), 'kron-host-')))
after(() => rmSync(here, { recursive: true }))
const config = join(here, 'config', 'krond')
mkdirSync(config, { recursive: true })
const plain = join(here, 'plain.sh')
writeFileSync(plain, '')
chmodSync(plain, 0o644)
const user = { cwd: here, uid: 1_000, env: { XDG_CONFIG_HOME: join(here, 'config') } }
const LINES = [
  '@daily name=program command=/nonexistent/program',
  `@daily name=plain command=${plain}`,
  '@daily name=cwd cwd=/nonexistent/dir command=/bin/true',
  `@daily name=logs stdout=file:${here}/logs/%Y-%m.log command=/bin/true`,
  '@daily name=user user=nobody-of-this-name command=/bin/true',
  '@daily name=syslog stdout=syslog command=/bin/true',
  `@daily name=fine cwd=/ stdout=file:${here}/%N.log command=/bin/true`,
]
const EXPECTED = [
  'missing-program program',
  'missing-program plain',
  'missing-directory cwd',
  'missing-log-directory logs',
  'missing-user user',
  ...(existsSync('/dev/log') ? [] : ['no-syslog syslog']),
]
const HOST_RULE = /^(missing-|no-syslog)/

test('lint names programs, directories, users and a syslog that this host lacks, for files that krond reads here', async () => {
  writeFileSync(join(config, 'a.kron'), `${LINES.join('\n')}\n`)
  const { out } = await krontab(['lint', '--format', 'json'], user)
  const { warnings } = JSON.parse(out) as { warnings: { rule: string; job: string }[] }
  const found = warnings.map(each => `${each.rule} ${each.job}`).filter(each => HOST_RULE.test(each))
  assert.deepEqual(found, EXPECTED)
})

test('a file that is only written here, for another host, gets no such warning', async () => {
  writeFileSync(join(here, 'elsewhere.kron'), `${LINES.join('\n')}\n`)
  const { out } = await krontab(['lint', '--file', 'elsewhere.kron', '--format', 'json'], user)
  const { warnings } = JSON.parse(out) as { warnings: { rule: string }[] }
  assert.deepEqual(
    warnings.filter(each => HOST_RULE.test(each.rule)),
    [],
  )
})

test('add warns about them, and that no krond reads the files of this user', async () => {
  writeFileSync(join(here, 'b.kron'), `${LINES[0]}\n`)
  const { code, out, err } = await krontab(['add', '--file', 'b.kron'], user)
  assert.equal(code, 0)
  assert.match(out, /^installed /)
  assert.match(err, /warning: program: \/nonexistent\/program does not exist \(missing-program\)/)
  assert.match(err, /warning: no krond of yours is running: nothing reads .*config\/krond/)
})
