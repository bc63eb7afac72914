import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { type ContextParts, krontab } from '@kron/testkit/krontab/run-krontab'

const here = realpathSync(mkdtempSync(join(tmpdir(), 'kron-edit-')))
after(() => rmSync(here, { recursive: true }))
const path = join(here, 'a.kron')
const JOB = '@daily name=a command=/bin/true\n'
const content = () => readFileSync(path, 'utf8')
const edit = (editor: string, parts: ContextParts = {}) =>
  krontab(['edit', './a.kron'], { cwd: here, env: { EDITOR: editor }, ...parts })

beforeEach(() => writeFileSync(path, JOB, { mode: 0o640 }))

test('a valid edit is installed with the mode the file had', async () => {
  chmodSync(path, 0o640)
  const { code } = await edit("sed -i 's/name=a/name=b/'")
  assert.equal(code, 0)
  assert.equal(content(), JOB.replace('name=a', 'name=b'))
  assert.equal(statSync(path).mode & 0o777, 0o640)
})

test('a new file is made, and stays away if nothing is written', async () => {
  rmSync(path)
  assert.match((await edit('true')).out, /is unchanged/)
  assert.equal(existsSync(path), false)
  const { code } = await edit(`printf '@daily name=n command=/x\\n' >`)
  assert.deepEqual([code, content()], [0, '@daily name=n command=/x\n'])
})

test('an invalid edit is shown and can be mended', async () => {
  const questions: string[] = []
  const script = join(here, 'editor.sh')
  writeFileSync(
    script,
    'if grep -q nonsense "$1"; then sed -i s/nonsense// "$1"; else echo nonsense >> "$1"; echo "@daily name=z command=/z" >> "$1"; fi\n',
  )
  const { code, err } = await edit(`sh ${script}`, {
    interactive: true,
    ask: async question => {
      questions.push(question)
      return ''
    },
  })
  assert.equal(code, 0)
  assert.match(err, /a\.kron:2:9: error: /)
  assert.equal(questions.length, 1)
  assert.equal(content(), `${JOB}\n@daily name=z command=/z\n`)
})

test('an invalid edit that is given up leaves the file and keeps the edit', async () => {
  for (const parts of [{ interactive: false }, { interactive: true, ask: async () => 'x' }]) {
    const { code, err } = await edit('echo nonsense >>', parts)
    assert.equal(code, 1)
    assert.equal(content(), JOB)
    const kept = /your edit is kept in (.*)\n/.exec(err)![1]!
    assert.equal(readFileSync(kept, 'utf8'), `${JOB}nonsense\n`)
    rmSync(join(kept, '..'), { recursive: true })
  }
})

test('a file that somebody else changed meanwhile is left alone', async () => {
  const { code, err } = await edit(`echo '# theirs' >> ${path}; echo '# mine' >>`)
  assert.equal(code, 2)
  assert.match(err, /has changed meanwhile/)
  assert.equal(content(), `${JOB}# theirs\n`)
})

test('a link stays a link', async () => {
  symlinkSync(path, join(here, 'link.kron'))
  const { code } = await krontab(['edit', './link.kron'], { cwd: here, env: { VISUAL: 'echo "#" >>' } })
  assert.equal(code, 0)
  assert.equal(content(), `${JOB}#\n`)
  assert.ok(statSync(join(here, 'link.kron')).isFile())
})

test('what is no job file is refused before an editor starts', async () => {
  for (const [file, message] of [
    ['./a.txt', /not called \*\.kron/],
    ['./nowhere/a.kron', /there is no directory/],
  ] as const) {
    const { code, err } = await krontab(['edit', file], { cwd: here, env: { EDITOR: 'false' } })
    assert.equal(code, 2)
    assert.match(err, message)
  }
})

const ADD_PIPE = `printf '@daily name=p command="/bin/ls | wc"\\n' >>`

test('shell syntax without a shell is not installed unless --force is given', async () => {
  const refused = await edit(ADD_PIPE)
  assert.equal(refused.code, 1)
  assert.match(
    refused.err,
    /a\.kron:2:23: error: no shell reads this command: "\|" .*\n(.*\n)* {2}hint: .*--force/,
  )
  assert.equal(content(), JOB)
  const forced = await krontab(['edit', './a.kron', '--force'], { cwd: here, env: { EDITOR: ADD_PIPE } })
  assert.equal(forced.code, 0)
  assert.match(content(), /wc/)
  const later = await edit("sed -i 's/name=a/name=b/'")
  assert.equal(later.code, 0, 'a line that is installed already is not asked about again')
})

test('a person may install shell syntax as it is', async () => {
  const questions: string[] = []
  const ask = async (question: string) => {
    questions.push(question)
    return 'i'
  }
  const { code } = await edit(ADD_PIPE, { interactive: true, ask })
  assert.equal(code, 0)
  assert.match(questions[0]!, /\(i\)nstall it as it is/)
  assert.match(content(), /wc/)
})
