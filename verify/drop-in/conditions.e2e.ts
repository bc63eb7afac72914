/** The conditions that commands of crontabs meet in krond, beside those in Debian's cron: one minute of each. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const cron = process.env['KRON_CRON'] ?? '/usr/sbin/cron'
const work = mkdtempSync(join(tmpdir(), 'kron-conditions-'))
after(() => rmSync(work, { recursive: true }))

const PROBE = `#!/bin/sh
exec > "$(dirname "$0")/out/$1"
echo "argv: $*"
env | grep -vE '^(_|SHLVL|PWD|OLDPWD)=' | sort | sed 's/^/env: /'
echo "cwd: $(pwd)"
echo "uid: $(id -u)"
echo "gid: $(id -g)"
echo "groups: $(id -G | tr ' ' '\\n' | sort -n | tr '\\n' ' ')"
echo "umask: $(umask)"
echo "nice: $(nice)"
echo "open files: $(ls /proc/self/fd | grep -cE '^[012]$')"
sed 's/^/stdin: /'
`

const SENDMAIL = `#!/bin/sh
mail=$(mktemp ${work}/mail/XXXXXXXX)
echo "arguments: $*" | sed 's/ -- / /' > $mail
echo "uid: $(id -u)" >> $mail
cat >> $mail
`

const probe = join(work, 'probe')
/** By the file of a cron.d, its text. */
const CRONTABS: Readonly<Record<string, string>> = {
  plain: `* * * * * root ${probe} root
* * * * * www-data ${probe} www-data
*/1 0-23 1-31 JAN-dec * nobody ${probe} nobody one "two  three" $HOME
* * * * *	daemon	${probe} tabs
`,
  variables: `SHELL=/bin/bash
PATH=/usr/local/bin:/usr/bin:/bin
COLOUR = "light blue"
'QUOTED' = 'it is'
EMPTY=""
TRAILING = blank   
* * * * * www-data ${probe} variables "\${BASH_VERSION:+bash}"
HOME=/tmp
LOGNAME=eve
* * * * * www-data ${probe} home
`,
  input: `* * * * * www-data ${probe} input%one%two \\% three%
* * * * * www-data ${probe} no-input a\\%b
* * * * * www-data ${probe} empty-input%
`,
  mail: `* * * * * www-data echo mail-user; echo more
* * * * * root echo mail-root >&2; false
MAILTO=ops@example.org
* * * * * www-data echo mail-ops
MAILTO=a@example.org,b@example.org
CONTENT_TYPE="text/html; charset=UTF-8"
* * * * * www-data echo mail-html
MAILTO=""
* * * * * www-data echo mail-none
`,
  'not.read': `* * * * * root ${probe} not-read\n`,
  bare: `EMPTY=\n* * * * * root ${probe} bare\n`,
  broken: `* * * * * root ${probe} broken\n61 * * * * root x\n`,
  unfinished: `* * * * * root ${probe} unfinished`,
}
const USER = `* * * * * ${probe} own-crontab\n`

/** In mounts of their own both daemons find the same crontabs, accounts and sendmail at cron's own places. */
const SETTING = `
set -e
mount -t tmpfs none /var/spool
mkdir -p /var/spool/cron/crontabs
chmod 1730 /var/spool/cron/crontabs
install -m 600 -o www-data ${work}/user /var/spool/cron/crontabs/www-data
mount -t tmpfs none /run
mkdir -p /etc/cron.d
mount -t tmpfs none /etc/cron.d
cp ${work}/cron.d/* /etc/cron.d/
[ ! -e /etc/crontab ] || mount --bind /dev/null /etc/crontab
mkdir ${work}/pam.d
cp -r /etc/pam.d/. ${work}/pam.d
printf 'auth required pam_permit.so\\naccount required pam_permit.so\\nsession required pam_permit.so\\n' > ${work}/pam.d/cron
mount --bind ${work}/pam.d /etc/pam.d
awk -F: -v OFS=: '$1=="www-data" {$6=home} {print}' home=${work}/home /etc/passwd > ${work}/passwd
mount --bind ${work}/passwd /etc/passwd
cp /etc/group ${work}/group
echo 'kron-probe:x:54321:www-data,daemon' >> ${work}/group
mount --bind ${work}/group /etc/group
mkdir -p ${work}/upper ${work}/overlay
mount -t tmpfs none ${work}/upper
mkdir ${work}/upper/files ${work}/upper/work
install -m 755 ${work}/sendmail ${work}/upper/files/sendmail
mount -t overlay none -o lowerdir=/usr/sbin,upperdir=${work}/upper/files,workdir=${work}/upper/work /usr/sbin
until [ "$(date +%S)" -lt 45 ]; do sleep 1; done
"$@" > ${work}/daemon.log 2>&1 &
daemon=$!
sleep $((62 - $(date +%-S)))
sleep 6
kill $daemon
wait $daemon || true
`

interface Observed {
  readonly probes: ReadonlyMap<string, string>
  readonly mails: ReadonlyMap<string, string>
}

function observe(command: readonly string[]): Observed {
  for (const name of ['out', 'mail', 'pam.d', 'upper', 'overlay'])
    rmSync(join(work, name), { recursive: true, force: true })
  for (const name of ['out', 'mail']) {
    mkdirSync(join(work, name))
    execFileSync('chmod', ['1777', join(work, name)])
  }
  execFileSync('unshare', ['--mount', 'sh', '-c', SETTING, 'sh', ...command], {
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', TZ: 'UTC', LANG: 'C.UTF-8' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const read = (directory: string): [string, string][] =>
    readdirSync(join(work, directory)).map(name => [name, readFileSync(join(work, directory, name), 'utf8')])
  return {
    probes: new Map(read('out')),
    // A mail is known by its first line of text; cron tells nobody about mistakes.
    mails: new Map(
      read('mail')
        .filter(([, text]) => !/ is ignored$/m.test(text))
        .map(([, text]) => [/\n\n(\S+)/.exec(text)?.[1] ?? text, text]),
    ),
  }
}

execFileSync('chmod', ['755', work])
for (const [name, text, mode] of [
  ['probe', PROBE, 0o755],
  ['sendmail', SENDMAIL, 0o755],
  ['user', USER, 0o600],
] as const)
  writeFileSync(join(work, name), text, { mode })
mkdirSync(join(work, 'cron.d'))
mkdirSync(join(work, 'home'))
for (const [name, text] of Object.entries(CRONTABS)) writeFileSync(join(work, 'cron.d', name), text)

/** Differences that docs/guides/in-crons-place.md explains. */
const EXPLAINED = [/^env: USER=/, /^X-Cron-Env: <USER=/, /^cwd: (?:\/|\/var\/spool\/cron)$/]

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .filter(line => !EXPLAINED.some(each => each.test(line)))
    .sort()

function differences(theirs: ReadonlyMap<string, string>, ours: ReadonlyMap<string, string>): string[] {
  const found: string[] = []
  for (const name of new Set([...theirs.keys(), ...ours.keys()])) {
    const [a, b] = [theirs, ours].map(each => new Set(linesOf(each.get(name) ?? '(none)')))
    for (const line of a!) if (!b!.has(line)) found.push(`${name} | cron: ${line}`)
    for (const line of b!) if (!a!.has(line)) found.push(`${name} | krond: ${line}`)
  }
  return found
}

test('environment, directory, user, groups, umask, input and mail are those of cron', () => {
  const theirs = observe([cron, '-f', '-L', '0'])
  const state = join(work, 'state')
  const ours = observe([
    process.execPath,
    '--conditions=kron-source',
    fileURLToPath(new URL('../../packages/krond/src/bin/krond.ts', import.meta.url)),
    'start',
    ...['--system-crontab', '/etc/crontab', '--system-crontab', '/etc/cron.d'],
    ...['--user-crontabs', '/var/spool/cron/crontabs', '--state-dir', state, '--pid-file', join(work, 'pid')],
  ])
  console.log(`commands: ${theirs.probes.size} of cron, ${ours.probes.size} of krond`)
  console.log(`mails: ${theirs.mails.size} of cron, ${ours.mails.size} of krond`)
  const found = [...differences(theirs.probes, ours.probes), ...differences(theirs.mails, ours.mails)]
  console.log(found.length === 0 ? 'differences: none' : found.join('\n'))
  assert.ok(theirs.probes.size >= 10, [...theirs.probes.keys()].join(' '))
  assert.deepEqual([...ours.probes.keys()].sort(), [...theirs.probes.keys()].sort())
  assert.deepEqual(found, [])
})
