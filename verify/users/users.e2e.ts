/** Ordinary users under one root daemon: their own jobs, nobody else's, and attacks from their home directories. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { askAs, makePeople, type Person, type Ran, runAs, shellAs, startKrond, until } from './people.ts'

assert.ok(process.env['KRON_OWN_MOUNTS'], 'run it with: npm run verify -- users')
const work = mkdtempSync(join(tmpdir(), 'kron-users-'))
chmodSync(work, 0o755)
const spool = join(work, 'spool')
const mails = join(work, 'mails')
const secret = join(work, 'secret.kron')
const SECRET = 'the-password-of-root'
let ada: Person
let eve: Person
let krond: ReturnType<typeof startKrond>

before(async () => {
  ;[ada, eve] = makePeople(work, ['ada', 'eve']) as [Person, Person]
  mkdirSync(spool)
  chmodSync(spool, 0o700)
  mkdirSync(mails)
  chmodSync(mails, 0o777)
  writeFileSync(join(work, 'sendmail'), `#!/bin/sh\ncat > ${mails}/$$\n`)
  chmodSync(join(work, 'sendmail'), 0o755)
  writeFileSync(secret, `0 1 * * * name=${SECRET} command=/bin/true\n`, { mode: 0o600 })
  shellAs(ada, 'mkdir -p .config/krond; chmod 700 .config .config/krond')
  shellAs(
    ada,
    `echo '0 1 * * * @win(after,1h) name=adas command="id -un; id -G; pwd" shell=true' > .config/krond/jobs.kron; chmod 600 .config/krond/jobs.kron`,
  )
  krond = startKrond(work, [
    ...['--user-crontabs', spool, '--user-job-files', '--sendmail', join(work, 'sendmail')],
    ...['--config', mkdtempSync(join(work, 'config-'))],
  ])
  await until('krond answers', () => runAs(ada, ['krontab', 'trigger', 'adas', '--wait']).code === 0)
})
after(() => {
  krond.child.kill('SIGTERM')
  rmSync(work, { recursive: true, force: true })
})

const at = '2030-01-01T00:00:00Z'

test('a job file of a user runs as that user, with the own groups, in the home directory', () => {
  const { code, out, err } = runAs(ada, ['krontab', 'trigger', 'adas', '--wait'])
  assert.equal(code, 0, err)
  assert.deepEqual(out.split('\n').slice(0, 3), ['ada', '54001 54100', ada.home])
})

test('a user edits the own crontab through the daemon, and sees and explains its jobs', async () => {
  const table = '# kron: name=tabbed @win(after,30m)\n0 2 * * * echo from the crontab; id -un\n'
  writeFileSync(join(work, 'table'), table)
  chmodSync(join(work, 'table'), 0o644)
  const edited = runAs(ada, ['crontab', '-e'], { env: { EDITOR: `cp ${work}/table` } })
  assert.equal(edited.code, 0, edited.err)
  assert.equal(runAs(ada, ['crontab', '-l']).out, table)
  await until('krond reads it', () => runAs(ada, ['krontab', 'trigger', 'tabbed', '--wait']).code === 0)
  assert.match(runAs(ada, ['krontab', 'output', 'tabbed']).out, /^from the crontab\nada\n$/)
  assert.deepEqual(runAs(ada, ['krontab', 'list', '--names']).out.trim().split('\n').sort(), [
    'adas',
    'tabbed',
  ])
  const explained = runAs(ada, ['krontab', 'explain', 'tabbed', '--at', at, '--format', 'json'])
  assert.equal(JSON.parse(explained.out).identity, `${spool}/ada:tabbed`, explained.err)
})

/** Every request that a user makes about the own job, and another user about the same one. */
const REQUESTS: readonly (readonly [string, string])[] = [
  ['output', 'adas'],
  ['history', 'adas'],
  ['trigger', 'adas'],
  ['pause', 'adas'],
  ['resume', 'adas'],
]

test('another user is refused each request, and learns not even that the job exists', () => {
  const rows: string[] = []
  const row = (what: string, own: Ran, other: Ran): void => {
    rows.push(`${what.padEnd(16)} ada: ${own.code}  eve: ${other.code}  ${other.err.split('\n')[0]}`)
  }
  for (const [command, name] of REQUESTS) {
    const words = [command, name] as const
    const own = runAs(ada, ['krontab', ...words])
    const other = runAs(eve, ['krontab', command, `${ada.home}/.config/krond/jobs.kron:${name}`])
    row(words.join(' '), own, other)
    assert.equal(own.code, 0, own.err)
    assert.notEqual(other.code, 0, `${words.join(' ')} of eve: ${other.out}`)
    assert.match(other.err, /there is no job/)
  }
  const pauseAll = runAs(eve, ['krontab', 'pause', '--all'])
  assert.notEqual(pauseAll.code, 0)
  for (const words of [['-l'], ['-r'], ['-e']]) {
    const other = runAs(eve, ['crontab', '-u', 'ada', ...words], { env: { EDITOR: 'true' } })
    rows.push(`crontab -u ada ${words}  eve: ${other.code}  ${other.err.split('\n')[0]}`)
    assert.notEqual(other.code, 0)
  }
  const list = runAs(eve, ['krontab', 'list', '--names'])
  assert.doesNotMatch(list.out, /adas|tabbed/)
  assert.match(runAs(ada, ['crontab', '-l']).out, /tabbed/)
  console.log(rows.join('\n'))
})

test('another user who knows job and run is refused the output, also without krontab in between', () => {
  const job = `${ada.home}/.config/krond/jobs.kron:adas`
  const history = runAs(ada, ['krontab', 'history', 'adas', '--format', 'json'])
  const { outcomes } = JSON.parse(history.out) as { outcomes: { runId: string }[] }
  const path = `/api/v1/jobs/${encodeURIComponent(job)}/runs/${outcomes[0]!.runId}/output`
  const request = { request: 'api', method: 'GET', path }
  assert.match(askAs(ada, request).text, /54001 54100/)
  const { status, text } = askAs(eve, request)
  assert.equal(status, 404)
  assert.doesNotMatch(text, /54001 54100/)
})

/** Attacks: what eve prepares in her home directory, and the reason that krond gives. */
const ATTACKS: Readonly<Record<string, readonly [script: string, reason: RegExp]>> = {
  'a job file that is a symbolic link': ['ln -s SECRET .config/krond/a.kron', /symbolic link/],
  'a job file that is a hard link to a file of ada': [
    'ln ADA .config/krond/a.kron 2>/dev/null || cp /dev/null .config/krond/skip',
    /link|belongs to somebody/,
  ],
  'a directory that is a symbolic link': [
    'rmdir .config/krond; ln -s ADADIR .config/krond',
    /link or no dir/,
  ],
  'a parent that is a symbolic link': ['rm -r .config; ln -s ADACONF .config', /link or no dir/],
  'a FIFO, which would block a reader': ['mkfifo .config/krond/a.kron', /not a regular file/],
  'a file that others may write to': [
    'echo > .config/krond/a.kron; chmod 666 .config/krond/a.kron',
    /others may/,
  ],
  'a directory that others may write to': [
    'echo > .config/krond/a.kron; chmod 777 .config/krond',
    /others may/,
  ],
  'an ACL that lets ada write': [
    'echo > .config/krond/a.kron; setfacl -m u:ada:rw .config/krond/a.kron',
    /others may/,
  ],
  'another user': [
    'echo "0 1 * * * name=x user=root command=/bin/true" > .config/krond/a.kron',
    /user=.*not allowed/,
  ],
  'the environment of the daemon': [
    'echo "0 1 * * * name=x inherit_env=true command=/bin/env" > .config/krond/a.kron',
    /environment of the daemon/,
  ],
  'a command that root would run': [
    'echo "0 1 * * * name=x command=/bin/false notify=command:/tmp/x" > .config/krond/a.kron',
    /mail: only/,
  ],
  'more rights': ['echo "0 1 * * * name=x nice=-20 command=/bin/true" > .config/krond/a.kron', /needs root/],
  'higher limits': [
    'echo "0 1 * * * name=x nofile=1000000 command=/bin/true" > .config/krond/a.kron',
    /are set as root/,
  ],
  'a calendar elsewhere': [
    'echo "0 1 * * * @avoid(cal=x) name=x command=/bin/true" > .config/krond/a.kron',
    /not read for users/,
  ],
  'too many files': ['for i in $(seq 101); do echo > .config/krond/$i.kron; done', /more than 100/],
  'a huge file': ['head -c 2000000 /dev/zero | tr "\\0" "#" > .config/krond/a.kron', /larger than 1 MiB/],
}

test('nothing in a home directory makes root read through a link or lends rights of root', async () => {
  for (const [attack, [script, reason]] of Object.entries(ATTACKS)) {
    for (const name of readdirSync(mails)) rmSync(join(mails, name))
    shellAs(eve, 'rm -rf .config; mkdir -p .config/krond; chmod 700 .config .config/krond')
    shellAs(
      eve,
      script
        .replace('SECRET', secret)
        .replace('ADADIR', `${ada.home}/.config/krond`)
        .replace('ADACONF', `${ada.home}/.config`)
        .replace('ADA', `${ada.home}/.config/krond/jobs.kron`),
    )
    if (existsSync(`${eve.home}/.config/krond/skip`)) {
      console.log(`${attack}: refused by the kernel (fs.protected_hardlinks)`)
      continue
    }
    // The log does not quote lines of users' files; the mail to the owner does.
    await until(attack, () => mailTexts().some(text => reason.test(text)))
    console.log(`${attack}: ${reason.exec(mailTexts().join(''))![0]}`)
    assert.equal(runAs(ada, ['krontab', 'trigger', 'adas']).code, 0, `${attack} stops ada's jobs`)
  }
  assert.doesNotMatch(
    krond.log() + mailTexts().join(''),
    new RegExp(SECRET),
    'root never read its own file for eve',
  )
})

test('the owner of a refused file gets a mail about it', async () => {
  shellAs(eve, 'rm -rf .config; mkdir -p .config/krond; chmod 700 .config .config/krond')
  shellAs(eve, 'echo "61 * * * * name=x command=/bin/true" > .config/krond/broken.kron')
  const isIt = (text: string): boolean => /To: eve[\s\S]*broken\.kron is ignored[\s\S]*61/.test(text)
  await until('the mail', () => mailTexts().some(isIt))
})

const mailTexts = (): string[] => readdirSync(mails).map(name => readFileSync(join(mails, name), 'utf8'))

/** Swaps her job file between a plain one and a link to root's file, as fast as it can. */
const SWAP = `
const fs = require('node:fs')
const [directory, secret] = process.argv.slice(1)
process.stdout.write('ready')
for (let i = 0; ; i++) {
  const path = directory + '/new'
  try { fs.rmSync(path, { force: true }) } catch {}
  if (i % 2) fs.symlinkSync(secret, path)
  else fs.writeFileSync(path, '0 1 * * * name=plain command=/bin/true\\n', { mode: 0o600 })
  fs.renameSync(path, directory + '/raced.kron')
}`

test('a file that is swapped for a link while root reads it is never read through', async () => {
  shellAs(eve, 'rm -rf .config; mkdir -p .config/krond; chmod 700 .config .config/krond')
  const racer = spawn(process.execPath, ['-e', SWAP, `${eve.home}/.config/krond`, secret], {
    uid: eve.uid,
    gid: eve.uid,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    await new Promise(resolve => racer.stdout.once('data', resolve))
    const { hostUsers, UserJobFiles } = await import('@kron/host')
    const files = new UserJobFiles({ listUsers: () => hostUsers() })
    const seen = { plain: 0, refused: 0 }
    for (let i = 0; i < 3_000; i++) {
      const { entries, refused } = files.read()
      assert.ok(!entries.some(({ name }) => name === SECRET))
      seen.plain += entries.filter(({ name }) => name === 'plain').length
      seen.refused += refused.length
    }
    console.log(`3000 readings during the race: ${seen.plain} plain, ${seen.refused} refused`)
    assert.ok(seen.plain > 0 && seen.refused > 0)
  } finally {
    racer.kill('SIGKILL')
  }
})
