/** Files that try to send control sequences to the terminal of the person who views them. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { advance, parseJobFile, type State, stateFileName } from '@kron/host'
import { krontab } from '@kron/testkit/krontab/run-krontab'
import { periodEvents, seen } from '@kron/testkit/sample-states'

// Clears the screen, sets the title, hides text, reverses its direction, and uses the one-byte form of an escape.
const HOSTILE = '\u001b[2J\u001b]0;owned\u0007\u001b[8m\u202e\u009b31m\u007f'
const NOW = Date.parse('2026-03-01T10:00:00Z') / 1000
/** A state file that is not JSON. */
const SPOILED = `{"Identity": "${HOSTILE}`
/** The first character of our own colour sequences. */
const ESCAPE = '\u001b'
const OWN = new RegExp(`${ESCAPE}\\[(?:1|2|22|31|32|33|36|39)m`, 'g')

function place(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), 'kron-hostile-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const jobs = join(directory, `jobs${HOSTILE}`)
  const state = join(directory, 'state')
  mkdirSync(jobs, { mode: 0o755 })
  mkdirSync(state, { mode: 0o700 })
  const file = join(jobs, `a${HOSTILE}.kron`)
  writeFileSync(file, `@daily name=a description="${HOSTILE}" command="/bin/echo ${HOSTILE}"\n`)
  const broken = join(jobs, `b${HOSTILE}.kron`)
  writeFileSync(broken, `@daily name=b ${HOSTILE}=${HOSTILE} command=/bin/true\n@${HOSTILE}\n`)
  return { directory, jobs, state, file, broken }
}

function assertHarmless(text: string, context: string): void {
  // Newlines and tabs are layout.
  const rest = text.replace(OWN, '').replace(/[\n\t]/g, '')
  assert.doesNotMatch(rest, /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u, context)
}

for (const colour of [false, true]) {
  test(`no command lets a job file speak to the terminal, with${colour ? '' : 'out'} colours`, async t => {
    const { directory, state, file, broken } = place(t)
    const commands: readonly (readonly string[])[] = [
      ['list', '--file', file, '--state-dir', state],
      ['list', '--file', file, '--state-dir', state, '--format', 'json'],
      ['lint', '--file', file],
      ['lint', '--file', broken],
      ['lint', '--file', broken, '--format', 'json'],
      ['list', '--file', broken, '--state-dir', state],
      ['explain', 'a', '--file', file],
      ['next', 'a', '--file', file],
      ['next', '--file', file],
      ['forecast', '--file', file],
      ['run', HOSTILE, '--file', file],
      ['run', 'b', '--file', broken],
      ['remove', HOSTILE, '--file', file],
      ['add', '--file', broken, '--to', directory],
      ['edit', join(directory, HOSTILE)],
      ['history', HOSTILE, '--file', file, '--state-dir', state],
      ['status', '--state-dir', join(directory, HOSTILE)],
      ['import', '--crontab', broken],
      [HOSTILE],
      ['list', `--${HOSTILE}`],
    ]
    for (const words of commands) {
      const { out, err } = await krontab(words, { now: NOW, terminal: { colour } })
      assert.ok(out.length + err.length > 0, `${words[0]} said nothing`)
      // The new file of an import is data, and is written unchanged into a pipe.
      assertHarmless(words[0] === 'import' ? err : out + err, words.join(' '))
    }
  })

  test(`no state file speaks to the terminal, with${colour ? '' : 'out'} colours`, async t => {
    const { state, file } = place(t)
    const [entry] = parseJobFile(readFileSync(file, 'utf8'), file).entries
    const events = [
      seen('2026-02-27T00:00:00Z'),
      ...periodEvents(entry!, Date.parse('2026-02-28T00:00:00Z') / 1000, {
        exitCode: 1,
        signal: 'SIGTERM',
        after: 1,
      }),
    ]
    const sound = JSON.stringify(
      events.reduce<State | undefined>((each, event) => advance(each, entry!.identity, event), undefined),
    )
    const hostile = JSON.parse(sound, (key, value) =>
      ['Reason', 'Signal', 'LastReason', 'StartedAt', 'CompletedAt', 'LastRunTime'].includes(key)
        ? HOSTILE
        : value,
    )
    const path = join(state, stateFileName(entry!.identity))
    for (const text of [JSON.stringify(hostile), SPOILED]) {
      writeFileSync(path, text, { mode: 0o600 })
      let said = ''
      for (const words of [
        ['status'],
        ['status', '--format', 'json'],
        ['history', 'a', '--file', file],
        ['verify', '--file', file],
        ['list', '--file', file],
      ]) {
        const { out, err } = await krontab([...words, '--state-dir', state], {
          now: NOW,
          terminal: { colour },
        })
        assertHarmless(out + err, words.join(' '))
        said += out
      }
      if (text !== SPOILED)
        assert.match(said, /ended by \\x1b\[2J/, 'the text of the state is shown, made harmless')
    }
  })
}
