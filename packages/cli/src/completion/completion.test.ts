import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { PROGRAM } from '@kron/testkit/cli/demo'
import { completionScript, SHELLS } from './completion.ts'

const JOBS = 'echo backup rotate'

/** The words that bash offers for the last word of a line. */
function offered(line: string): string[] {
  const words = line.split(' ')
  const script = `${completionScript('bash', PROGRAM, JOBS)}
    compopt() { :; }
    COMP_WORDS=(${words.map(word => `'${word}'`).join(' ')})
    COMP_CWORD=${words.length - 1}
    _demo
    printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', script], { cwd: '/', encoding: 'utf8' }).split('\n').filter(Boolean)
}

test('bash offers commands, options, choices, files and jobs', () => {
  assert.deepEqual(offered('demo '), ['show', 'list', '--help', '--version'])
  assert.deepEqual(offered('demo sh'), ['show'])
  assert.deepEqual(offered('demo show --f'), ['--file', '--format'])
  assert.deepEqual(offered('demo show --format '), ['text', 'json'])
  assert.deepEqual(offered('demo show b'), ['backup'])
  assert.ok(offered('demo show --file /etc/passw').includes('/etc/passwd'))
  assert.deepEqual(offered('demo list x'), [])
  assert.ok(offered('demo show -f /etc/passw').includes('/etc/passwd'))
})

test('bash completes a program that has no commands', () => {
  const alone = { ...PROGRAM.commands![0]!, name: 'demo' }
  const script = `${completionScript('bash', alone, JOBS)}
    COMP_WORDS=(demo --q); COMP_CWORD=1; _demo; echo "\${COMPREPLY[@]}"`
  assert.equal(execFileSync('bash', ['-c', script], { encoding: 'utf8' }), '--quiet\n')
})

test('every shell learns every command and option', () => {
  for (const shell of SHELLS) {
    const script = completionScript(shell, PROGRAM, JOBS)
    for (const word of ['show', 'list', 'file', 'count', 'quiet', 'format', 'help', 'echo backup rotate']) {
      assert.ok(script.includes(word), `${shell}: ${word}`)
    }
    assert.ok(script.endsWith('\n'))
  }
})
