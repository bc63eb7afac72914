import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { test } from 'node:test'
import { Krond } from '@kron/testkit/krond/blackbox/krond'

const me = userInfo().username
const BEFORE_NOON = { at: Date.parse('2026-03-01T11:10:00Z'), speed: 60 }
const UTC = { TZ: 'UTC' }

/** A cron.d directory and a spool of users beside the job files. */
function crontabsOf(krond: Krond): {
  readonly system: string
  readonly spool: string
  readonly flags: string[]
} {
  const system = `${krond.directory}/cron.d`
  const spool = `${krond.directory}/spool`
  mkdirSync(system)
  mkdirSync(spool)
  krond.write([])
  return { system, spool, flags: ['--system-crontab', system, '--user-crontabs', spool] }
}

const variablesIn = (path: string): Record<string, string> =>
  Object.fromEntries(
    readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

test('krond runs lines of crontabs with the environment, directory, input and shell that cron gives', async t => {
  const krond = new Krond(t, BEFORE_NOON)
  const { system, spool, flags } = crontabsOf(krond)
  const out = krond.directory
  writeFileSync(
    `${system}/packaged`,
    `SHELL=/bin/bash\nCOLOUR = "light blue"\nMAILTO=""\n0 12 * * * ${me} env > ${out}/env; pwd > ${out}/cwd; umask > ${out}/umask; echo $BASH > ${out}/shell; cat > ${out}/input%one%two \\% three\n`,
  )
  writeFileSync(`${spool}/${me}`, `MAILTO=""\n# kron: name=mine\n0 12 * * * touch ${out}/mine\n`, {
    mode: 0o600,
  })
  await krond.start({ flags, env: { ...UTC, MY_OWN: 'not passed on' } })
  krond.step(Math.max(0, Date.parse('2026-03-01T11:59:30Z') - krond.now()))
  await krond.eventually(() => krond.events('finished').length === 2, 'both to finish')
  await krond.stop()
  const { PWD, SHLVL, _, ...environment } = variablesIn(`${out}/env`)
  const { homedir } = userInfo()
  assert.deepEqual(environment, {
    SHELL: '/bin/bash',
    PATH: '/usr/bin:/bin',
    HOME: homedir,
    LOGNAME: me,
    USER: me,
    COLOUR: 'light blue',
    MAILTO: '',
  })
  assert.equal(readFileSync(`${out}/cwd`, 'utf8').trim(), homedir)
  assert.equal(readFileSync(`${out}/umask`, 'utf8').trim(), '0022')
  assert.equal(readFileSync(`${out}/shell`, 'utf8').trim(), '/bin/bash')
  assert.equal(readFileSync(`${out}/input`, 'utf8'), 'one\ntwo % three\n')
  assert.ok(krond.events('finished').some(({ identity }) => identity === `${spool}/${me}:mine`))
})

test('a crontab that appears, changes or breaks is noticed by the running daemon, and a broken one stops only itself', async t => {
  const krond = new Krond(t)
  const { system, flags } = crontabsOf(krond)
  const install = (name: string, text: string): void => {
    writeFileSync(`${krond.directory}/new`, text)
    renameSync(`${krond.directory}/new`, `${system}/${name}`)
  }
  install('kept', `0 0 1 1 * ${me} true\n`)
  await krond.start({ flags, env: UTC })
  assert.equal((await krond.status()).jobs, 1)
  install('later', `# kron: name=later @win(after,1h)\n0 0 1 1 * ${me} true\n5 5 5 5 5 ${me} true\n`)
  await krond.eventually(() => krond.events('reload').length === 1, 'the new file to be read')
  assert.equal((await krond.status()).jobs, 3)
  install('later', `0 0 1 1 * ${me} true\n99 5 5 5 5 ${me} true\n`)
  await krond.eventually(() => krond.events('reload').length === 2, 'the broken file to be noticed')
  const status = await krond.status()
  assert.equal(status.jobs, 1)
  assert.deepEqual(status.refusedFiles, [`${system}/later`])
  const [error] = krond.events('error')
  assert.deepEqual([error?.['file'], error?.['line']], [`${system}/later`, 2])
  await krond.stop()
})

test('the output of a crontab job and the mistakes of a crontab are mailed', async t => {
  const krond = new Krond(t, BEFORE_NOON)
  const { system, spool, flags } = crontabsOf(krond)
  const out = krond.directory
  const sendmail = `${out}/sendmail`
  writeFileSync(
    sendmail,
    `#!/bin/sh\nM=$(mktemp ${out}/mail.XXXXXX)\necho "$@" > $M\ncat >> $M\nmv $M $M.sent\n`,
    {
      mode: 0o755,
    },
  )
  writeFileSync(
    `${system}/jobs`,
    `MAILTO=ops@example.org\n0 12 * * * ${me} echo out; echo err >&2\n0 12 * * * ${me} true\n`,
  )
  writeFileSync(`${spool}/${me}`, '0 12 * * * echo never\n61 * * * * x\n', { mode: 0o600 })
  const mails = (): string[] =>
    readdirSync(out)
      .filter(name => name.endsWith('.sent'))
      .map(name => readFileSync(`${out}/${name}`, 'utf8'))
  await krond.start({ flags: [...flags, '--sendmail', sendmail], env: UTC })
  krond.step(Math.max(0, Date.parse('2026-03-01T11:59:30Z') - krond.now()))
  await krond.eventually(() => krond.events('finished').length === 2, 'both to finish')
  await krond.eventually(() => mails().length === 2, 'two mails')
  await krond.stop()
  const output = mails().find(mail => mail.includes('X-Cron-Env'))!
  assert.match(output, /^-FCronDaemon -i -B8BITMIME -oem -- ops@example.org\nFrom: root \(Cron Daemon\)\n/)
  assert.match(output, /\nSubject: Cron <\S+@\S+> echo out; echo err >&2\n/)
  assert.match(output, /\n\n(out\nerr|err\nout)\n$/)
  const mistakes = mails().find(mail => mail !== output)!
  assert.match(mistakes, new RegExp(`\nTo: ${me}\n`))
  assert.match(mistakes, /line 2: /)
})

test('lines @reboot do not run if another cron has run them since the boot', {
  skip: me === 'root' ? false : 'only root shares these lines with cron',
}, async t => {
  const krond = new Krond(t, { at: Date.parse('2026-03-01T11:59:57Z') })
  const { spool, flags } = crontabsOf(krond)
  const mark = `${krond.directory}/crond.reboot`
  writeFileSync(mark, '')
  const lines = `MAILTO=""\n@reboot echo one >> ${krond.directory}/booted\n* * * * * true\n`
  writeFileSync(`${spool}/${me}`, lines, { mode: 0o600 })
  await krond.start({ flags, env: UTC, circumstances: { marksOfCron: [mark] } })
  await krond.eventually(() => krond.events('finished').length > 0, 'the other line to run')
  await krond.stop()
  assert.equal(krond.read('booted'), '')
})

test('a line @reboot runs once per boot, however often the daemon starts', async t => {
  const krond = new Krond(t)
  const { spool, flags } = crontabsOf(krond)
  const table = (lines: readonly string[]): void =>
    writeFileSync(`${spool}/${me}`, `MAILTO=""\n${lines.join('\n')}\n`, { mode: 0o600 })
  table([`@reboot echo one >> ${krond.directory}/booted`])
  await krond.start({ flags, env: UTC })
  await krond.eventually(() => krond.read('booted') === 'one\n', 'the line to run')
  await krond.stop()
  table([`@reboot echo one >> ${krond.directory}/booted`, `@reboot echo two >> ${krond.directory}/booted`])
  await krond.start({ flags, env: UTC })
  assert.equal((await krond.status()).jobs, 2)
  await krond.stop()
  writeFileSync(`${krond.stateDir}/reboot`, 'an earlier boot\n')
  await krond.start({ flags, env: UTC })
  await krond.eventually(() => krond.read('booted').includes('two'), 'both lines to run after a boot')
  await krond.stop()
  assert.deepEqual(krond.read('booted').trim().split('\n').sort(), ['one', 'one', 'two'])
})
