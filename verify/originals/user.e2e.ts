/** A job of another user, as Debian's cron starts it and as krond does: /proc/self/status, groups and keys side by side. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { hostAccounts } from '@kron/host'
import { Krond } from '@kron/testkit/krond/blackbox/krond'

import { convertCrontab } from '../../packages/krontab/src/import/crontab/crontab.ts'
import { compareConditions } from '../../packages/krontab/src/import/equivalence/conditions.ts'
import { type NewEntry, writeJobFile } from '../../packages/krontab/src/import/job-file.ts'

const program = process.env['KRON_CRON'] ?? '/usr/sbin/cron'
const work = mkdtempSync(join(tmpdir(), 'kron-cron-user-'))
chmodSync(work, 0o777)
after(() => rmSync(work, { recursive: true }))

/** A user with groups of its own, in account files that only the two daemons see. */
const USER = 'kronprobe'
const ACCOUNT = { uid: 61_990, gid: 61_991, others: [61_992, 61_993] }

/** Ids, groups, capabilities, signals and umask; then the keyrings it can see, and its environment. */
const PROBE = `
cat /proc/self/status > "$1.status"
cat /proc/keys > "$1.keys" 2>/dev/null
env > "$1.env"
touch "$1.done"
`

/** Account files with the user in them, and the fixed places of cron; the suite runs this test in mounts of its own. */
const MOUNTS = `
set -e
cp /etc/passwd passwd; echo "${USER}:x:${ACCOUNT.uid}:${ACCOUNT.gid}::$PWD:/bin/sh" >> passwd
cp /etc/group group
echo "${USER}:x:${ACCOUNT.gid}:" >> group
echo "kronprobe-a:x:${ACCOUNT.others[0]}:${USER}" >> group
echo "kronprobe-b:x:${ACCOUNT.others[1]}:${USER}" >> group
cp /etc/shadow shadow; echo "${USER}:*:19000:0:99999:7:::" >> shadow
for name in passwd group shadow; do mount --bind $name /etc/$name; done
mount -t tmpfs none /var/spool
mkdir -p -m 1730 /var/spool/cron/crontabs
install -m 600 crontab /var/spool/cron/crontabs/${USER}
mount -t tmpfs none /run
[ ! -d /etc/cron.d ] || mount -t tmpfs none /etc/cron.d
[ ! -e /etc/crontab ] || mount --bind /dev/null /etc/crontab
`

/** The line of the crontab as `krontab import` writes it. */
function importedLine(crontab: string): string {
  const accounts = hostAccounts()
  const pieces = convertCrontab('crontab', crontab, {
    withUser: false,
    zone: 'UTC',
    owner: USER,
    findUser: name => {
      const account = accounts.findUser(name ?? USER)
      return account && { ...account, groups: accounts.groupsOf(account) }
    },
  })
  const { text, entries } = writeJobFile([{ file: 'crontab', pieces }], '/etc/krond.d/imported.kron')
  const [{ job, entry }] = entries as [NewEntry]
  assert.deepEqual(compareConditions(job.conditions, entry, accounts), [])
  // The clock of this krond is quick: a minute is a second.
  return text
    .trimEnd()
    .split('\n')
    .at(-1)!
    .replace(/notify=.*/, '')
}

/** Variables that import says are not the same, and those of the shell that prints them. */
const STATED = /^(?:KRON_|USER=|LANG=|_=|PWD=|OLDPWD=|SHLVL=)/
const variables = (text: string): string[] =>
  text
    .split('\n')
    .filter(line => line !== '' && !STATED.test(line))
    .sort()

const field = (text: string, name: string): string =>
  new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(text)?.[1]?.trim() ?? ''
const FIELDS = [
  ...['Uid', 'Gid', 'Groups', 'CapInh', 'CapPrm', 'CapEff', 'CapAmb', 'NoNewPrivs', 'Seccomp'],
  ...['SigBlk', 'SigIgn', 'SigCgt'],
]
const factsOf = (status: string): Record<string, string> =>
  Object.fromEntries(FIELDS.map(name => [name, field(status, name)]))

/** Waits for the job's last word. */
async function done(path: string): Promise<void> {
  const until = Date.now() + 150_000
  while (!existsSync(`${path}.done`)) {
    assert.ok(Date.now() < until, `the job never wrote ${path}`)
    await new Promise(resolve => setTimeout(resolve, 200))
  }
}

test('a user job has the ids, groups, capabilities and signals that cron gives, and keys of its own', {
  timeout: 300_000,
}, async t => {
  assert.ok(process.env['KRON_OWN_MOUNTS'], 'run it with: npm run verify -- originals')
  const probe = join(work, 'probe.sh')
  writeFileSync(probe, PROBE)
  writeFileSync(join(work, 'crontab'), `* * * * * sh ${probe} ${work}/cron\n`)
  execFileSync('sh', ['-c', MOUNTS], { cwd: work })
  const cron = spawn(program, ['-f', '-L', '0'], { stdio: 'inherit' })
  const krond = new Krond(t, { speed: 60 })
  chmodSync(krond.directory, 0o755)
  krond.write([importedLine(`* * * * * sh ${probe} ${work}/krond\n`)])
  try {
    await krond.start()
    await done(`${work}/krond`)
    assert.equal((await krond.stop()).code, 0)
    await done(`${work}/cron`)
  } finally {
    cron.kill('SIGKILL')
  }
  const read = (name: string): string => readFileSync(join(work, name), 'utf8')
  const byCron = factsOf(read('cron.status'))
  const byKrond = factsOf(read('krond.status'))
  t.diagnostic(`cron:  ${JSON.stringify(byCron)}`)
  t.diagnostic(`krond: ${JSON.stringify(byKrond)}`)
  const all = String(ACCOUNT.uid)
  assert.equal(byKrond['Uid'], [all, all, all, all].join('\t'))
  for (const name of FIELDS) assert.equal(byKrond[name], byCron[name], name)
  assert.deepEqual(variables(read('krond.env')), variables(read('cron.env')))
  const sessionKeys = (text: string): number =>
    text.split('\n').filter(line => / keyring +_ses/.test(line)).length
  t.diagnostic(
    `session keyrings in sight: cron ${sessionKeys(read('cron.keys'))}, krond ${sessionKeys(read('krond.keys'))}`,
  )
  assert.ok(!/_ses.*: [1-9]/.test(read('krond.keys')), 'its session keyring is empty')
})
