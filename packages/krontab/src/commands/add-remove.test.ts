import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { krontab } from '@kron/testkit/krontab/run-krontab'

const here = realpathSync(mkdtempSync(join(tmpdir(), 'kron-add-')))
after(() => rmSync(here, { recursive: true }))
const JOB = '# é\r\n@daily name=a command=/bin/true\n\n@daily name=b command=/bin/true'
const SOUND = JOB.replace('\r', '')
const user = { cwd: here, uid: 1000, env: { XDG_CONFIG_HOME: join(here, 'config') } }
const installed = join(here, 'config', 'krond', 'a.kron')
writeFileSync(join(here, 'a.kron'), SOUND)

test('the first file makes the config directory', async () => {
  const { code, out } = await krontab(['add', '--file', 'a.kron'], user)
  assert.equal(code, 0)
  assert.match(out, /^installed .*a\.kron with 2 jobs/)
  assert.equal(readFileSync(installed, 'utf8'), SOUND)
  assert.equal(statSync(installed).mode & 0o777, 0o644)
})

test('a file of the same name is replaced only if that is asked for', async () => {
  writeFileSync(join(here, 'a.kron'), `${SOUND}\n`)
  const refused = await krontab(['add', '--file', 'a.kron'], user)
  assert.equal(refused.code, 2)
  assert.match(refused.err, /exists already/)
  const { code, out } = await krontab(['add', '--file', 'a.kron', '--replace'], user)
  assert.deepEqual([code, out.split(' ')[0]], [0, 'replaced'])
  writeFileSync(join(here, 'a.kron'), SOUND)
  assert.equal((await krontab(['add', '--file', 'a.kron', '--replace'], user)).code, 0)
})

test('the same call twice changes something once: second call, dry run and JSON say unchanged', async () => {
  const config = join(here, 'again')
  const place = { ...user, env: { XDG_CONFIG_HOME: config } }
  const call = ['add', '--file', 'a.kron', '--replace', '--format', 'json']
  const change = async (...words: string[]): Promise<string> => {
    const { code, out } = await krontab([...call, ...words], place)
    assert.equal(code, 0)
    return JSON.parse(out).change
  }
  assert.equal(await change('--dry-run'), 'installed')
  assert.equal(existsSync(config), false)
  assert.equal(await change(), 'installed')
  const before = statSync(join(config, 'krond', 'a.kron'), { bigint: true })
  assert.equal(await change('--dry-run'), 'unchanged')
  assert.equal(await change(), 'unchanged')
  const after = statSync(join(config, 'krond', 'a.kron'), { bigint: true })
  assert.deepEqual([after.ino, after.ctimeNs], [before.ino, before.ctimeNs])
  assert.match((await krontab(['add', '--file', 'a.kron'], place)).out, /^unchanged: /)
})

test('a dry run refuses what the call itself would refuse, and writes nothing', async () => {
  const before = readdirSync(join(here, 'config', 'krond'))
  writeFileSync(join(here, 'a.kron'), `${SOUND}\n# more\n`)
  assert.equal((await krontab(['add', '--file', 'a.kron', '--dry-run'], user)).code, 2)
  const { code, out } = await krontab(['add', '--file', 'a.kron', '--replace', '--dry-run'], user)
  assert.equal(code, 0)
  assert.match(out, /^would be replaced: .*nothing was written/)
  assert.equal(readFileSync(installed, 'utf8'), SOUND)
  assert.equal((await krontab(['add', '--file', 'none.kron', '--dry-run'], user)).code, 2)
  writeFileSync(join(here, 'wrong.kron'), '61 * * * * name=a command=/bin/true\n')
  assert.equal((await krontab(['add', '--file', 'wrong.kron', '--dry-run'], user)).code, 1)
  assert.deepEqual(readdirSync(join(here, 'config', 'krond')), before)
  writeFileSync(join(here, 'a.kron'), SOUND)
})

test('what is invalid, misnamed or not there is not installed', async () => {
  writeFileSync(join(here, 'bad.kron'), JOB)
  writeFileSync(join(here, 'bad.txt'), SOUND)
  for (const [file, code, message] of [
    ['bad.kron', 1, /bad\.kron:1:4: error: a line ends with a carriage return/],
    ['bad.txt', 2, /bad\.txt is not called \*\.kron/],
    ['none.kron', 2, /there is no such file/],
  ] as const) {
    const ran = await krontab(['add', '--file', file], user)
    assert.equal(ran.code, code)
    assert.match(ran.err, message)
  }
  assert.equal((await krontab(['add'], user)).code, 2)
  assert.equal((await krontab(['add', '--file', 'a.kron', '--to', 'nowhere'], user)).code, 2)
  assert.deepEqual(readdirSync(join(here, 'config', 'krond')), ['a.kron'])
})

test('removing keeps the rest of the file and its mode', async () => {
  chmodSync(installed, 0o600)
  const { code, out } = await krontab(['remove', 'a'], user)
  assert.equal(code, 0)
  assert.match(out, /^removed a from /)
  assert.equal(readFileSync(installed, 'utf8'), '# é\n\n@daily name=b command=/bin/true')
  assert.equal(statSync(installed).mode & 0o777, 0o600)
  assert.equal((await krontab(['remove', 'a'], user)).code, 1)
})

test('a name in several files must be told apart', async () => {
  mkdirSync(join(here, 'more'))
  writeFileSync(join(here, 'more', 'c.kron'), '@daily name=b command=/x\n')
  const files = ['--file', installed, '--file', 'more/c.kron']
  const { code, err } = await krontab(['remove', 'b', ...files], user)
  assert.equal(code, 1)
  assert.match(
    err,
    /several jobs are called b\n {2}hint: name one of them in full:\n {2}.*a\.kron:b\n {2}.*c\.kron:b\n/,
  )
  assert.equal((await krontab(['remove', `${here}/more/c.kron:b`, ...files], user)).code, 0)
  assert.equal(readFileSync(join(here, 'more', 'c.kron'), 'utf8'), '')
  assert.ok(existsSync(installed))
})

test('a list shows the jobs of the sound files and names the broken one', async () => {
  const directory = join(here, 'several', 'krond')
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'good.kron'), '@daily name=good command=/bin/true\n')
  writeFileSync(join(directory, 'broken.kron'), '61 * * * * name=bad command=/bin/true\n')
  const place = { cwd: here, uid: 1000, env: { XDG_CONFIG_HOME: join(here, 'several') } }
  const { code, out, err } = await krontab(['list', '--names'], place)
  assert.equal(out, 'good\n')
  assert.match(err, /broken\.kron has 1 error/)
  assert.equal(code, 2)
})

test('shell syntax without a shell is installed only with --force', async () => {
  const text =
    '@daily name=p command="/bin/echo $HOME | wc -c > out"\n@daily name=q command="echo $HOME" shell=true\n'
  writeFileSync(join(here, 'pipe.kron'), text)
  const target = join(here, 'config', 'krond', 'pipe.kron')
  const refused = await krontab(['add', '--file', 'pipe.kron'], user)
  assert.equal(refused.code, 1)
  assert.match(refused.err, /pipe\.kron:1:23: error: no shell reads this command: "\$HOME" /)
  assert.match(
    refused.err,
    /pipe\.kron has 1 command with shell syntax .*\n {2}hint: add shell=true, .* --force/,
  )
  assert.equal(existsSync(target), false)
  assert.equal((await krontab(['add', '--file', 'pipe.kron', '--force'], user)).code, 0)
  assert.equal(readFileSync(target, 'utf8'), text)
})
