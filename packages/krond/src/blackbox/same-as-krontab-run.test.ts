import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, renameSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Krond } from '@kron/testkit/krond/blackbox/krond'

const KRONTAB = fileURLToPath(new URL('../../../krontab/src/bin/krontab.ts', import.meta.url))
const isRoot = process.getuid?.() === 0

/** Variables that differ between any two runs. */
const PASSING =
  /^(KRON_(EXECUTION_ID|PERIOD_ID|NOMINAL_TIME|CHOSEN_TIME)|KRON_TEST|NODE_COMPILE_CACHE|_|SHLVL|OLDPWD)=/

test('krontab run starts a job exactly as krond does', async t => {
  const krond = new Krond(t, { at: Date.parse('2026-03-01T11:10:00Z'), speed: 60 })
  const { directory } = krond
  mkdirSync(`${directory}/work`, { mode: 0o777 })
  mkdirSync(`${directory}/out`)
  // Output files are opened as the job's user.
  chmodSync(directory, 0o755)
  chmodSync(`${directory}/out`, 0o777)
  const see =
    'for each in env pwd umask "ulimit -n" "ulimit -u" id "cat /proc/self/status"; do echo "= $each"; $each; done'
  const names = ['plain', 'set', 'bare', ...(isRoot ? ['dropped'] : [])]
  const settings: Readonly<Record<string, string>> = {
    set: `cwd=${directory}/work umask=027 nofile=77 env=COLOUR=blue`,
    bare: 'inherit_env=false',
    dropped: 'user=nobody group=daemon umask=077 cwd=/',
  }
  krond.write(
    names.map(name =>
      krond.job(
        '0 12 * * * @policy(deadline=20m)',
        name,
        see,
        `${settings[name] ?? ''} stdout=file:${directory}/out/${name} stderr=discard`,
      ),
    ),
  )
  await krond.start({ env: { MY_OWN: 'kept' } })
  krond.step(Math.max(0, Date.parse('2026-03-01T11:59:00Z') - krond.now()))
  await krond.eventually(() => krond.events('finished').length === names.length, 'all jobs to finish')
  for (const name of names) {
    renameSync(`${directory}/out/${name}`, `${directory}/out/${name}-by-krond`)
    const args = ['run', name, '--file', krond.jobFile, '--state-dir', krond.stateDir]
    const { status, stderr } = spawnSync(process.execPath, ['--conditions=kron-source', KRONTAB, ...args], {
      encoding: 'utf8',
    })
    assert.equal(status, 0, stderr)
    assert.deepEqual(seen(krond.read(`out/${name}`)), seen(krond.read(`out/${name}-by-krond`)), name)
    assert.ok(seen(krond.read(`out/${name}`)).length > 5, `${name} saw nothing`)
  }
  await krond.stop()
})

/** The facts that a job observed, without those that always differ between two processes. */
function seen(text: string): string[] {
  const [before = '', status = ''] = text.split('= cat /proc/self/status\n')
  const kept = /^(Uid|Gid|Groups|Umask|SigBlk|SigIgn|NoNewPrivs|CapEff):/
  return [
    ...before
      .split('\n')
      .filter(line => !PASSING.test(line))
      .sort(),
    ...status.split('\n').filter(line => kept.test(line)),
  ]
}
