import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Place, Serve, type Spec } from './driver.ts'
import { readClaim } from './records.ts'

const { errno } = constants
let place: Place
let serve: Serve
let open: string // a directory every user may enter

before(async () => {
  place = new Place()
  open = mkdtempSync(join(tmpdir(), 'kron-shim-open-'))
  chmodSync(open, 0o777)
  serve = new Serve(place)
  await serve.ready()
})
after(async () => {
  await serve.close()
  execFileSync('rm', ['-rf', open])
  place.remove()
})

const bootNs = (): bigint =>
  BigInt(Math.round(Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 1000)) * 1_000_000n

test('a command runs once, with its exit status, times and output', async () => {
  const run = serve.start({ arg: ['sh', '-c', 'echo hello; echo oops >&2; exit 7'] })
  const started = await run.started()
  const end = await run.ended()
  assert.equal(end.exit, 7)
  assert.equal(end.why, 'exited')
  assert.equal(end.out, 6)
  assert.equal(end.err, 5)
  assert.equal(end.dropped, 0)
  assert.equal(end.undelivered, 0)
  assert.equal(end.left, 0)
  assert.equal(end.started, started.at)
  assert.ok(end.ended >= end.started)
  assert.equal(run.log('out').text, 'hello\n')
  assert.equal(run.log('err').text, 'oops\n')
  assert.equal(run.kept().head.toString().split('\n').sort().join(), ',hello,oops')
  const [first, second, third] = readClaim(join(place.claims, run.claim)) as Record<string, string>[]
  assert.deepEqual(Object.keys(first!), ['kron-claim', 'execution', 'boot', 'keep'])
  assert.equal(first!.boot, readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
  assert.equal(second!.command, `${started.pid} ${started.start}`)
  assert.equal(second!.shim, `${started.shim} ${started.shimStart}`)
  assert.equal(third!.exit, '7')
})

interface Refusal {
  title: string
  spec: () => Spec
  stage: string
  code: number
  detail?: () => string
}

const script = (name: string, text: string, mode: number): string => {
  writeFileSync(join(open, name), text)
  chmodSync(join(open, name), mode)
  return join(open, name)
}

const refusals: Refusal[] = [
  {
    title: 'a missing program',
    spec: () => ({ arg: '/no/such' }),
    stage: 'exec',
    code: errno.ENOENT,
    detail: () => '/no/such',
  },
  {
    title: 'a program that PATH does not have',
    spec: () => ({ arg: 'no-such-program' }),
    stage: 'exec',
    code: errno.ENOENT,
  },
  {
    title: 'a program that is not executable',
    spec: () => ({ arg: script('plain', '#!/bin/sh\n', 0o644) }),
    stage: 'exec',
    code: errno.EACCES,
  },
  {
    title: 'a missing interpreter',
    spec: () => ({ arg: script('interpreter', '#!/no/such/sh\n', 0o755) }),
    stage: 'exec',
    code: errno.ENOENT,
  },
  {
    title: 'a script without an interpreter',
    spec: () => ({ arg: script('bare', 'exit 0\n', 0o755) }),
    stage: 'exec',
    code: errno.ENOEXEC,
  },
  {
    title: 'a missing working directory',
    spec: () => ({ arg: 'true', cwd: '/no/dir' }),
    stage: 'cwd',
    code: errno.ENOENT,
    detail: () => '/no/dir',
  },
  {
    title: 'an output file in a missing directory',
    spec: () => ({ arg: 'true', stdout: 'file:/no/dir/out' }),
    stage: 'stdout',
    code: errno.ENOENT,
    detail: () => '/no/dir/out',
  },
  {
    title: 'a link as output file',
    spec: () => {
      symlinkSync(join(open, 'target'), join(open, 'link'))
      return { arg: 'true', stderr: `file:${open}/link` }
    },
    stage: 'stderr',
    code: errno.ELOOP,
  },
  {
    title: 'a FIFO as output file',
    spec: () => {
      execFileSync('mkfifo', [join(open, 'fifo')])
      return { arg: 'true', stdout: `file:${open}/fifo` }
    },
    stage: 'stdout',
    code: errno.ENXIO,
  },
  {
    title: 'a device as output file',
    spec: () => ({ arg: 'true', stdout: 'file:/dev/zero' }),
    stage: 'stdout',
    code: errno.EINVAL,
  },
  {
    title: 'a last permitted start in the past',
    spec: () => ({ arg: 'true', last: String(bootNs() - 1n) }),
    stage: 'deadline',
    code: 0,
  },
  {
    title: 'a limit above the hard limit of the system',
    spec: () => ({ arg: 'true', nofile: '18446744073709551615' }),
    stage: 'limits',
    code: errno.EPERM,
  },
]

for (const { title, spec, stage, code, detail } of refusals)
  test(`${title} is refused at ${stage}, and the claim is gone`, async () => {
    const run = serve.start(spec())
    const refused = await run.refused()
    assert.equal(refused.stage, stage)
    assert.equal(refused.errno, code)
    if (detail) assert.equal(refused.detail, detail())
    assert.ok(!existsSync(join(place.claims, run.claim)), 'the claim is still there')
    const again = serve.start({ arg: 'true' }, run.claim)
    assert.equal((await again.ended()).exit, 0, 'the same claim can be used after a refusal')
  })

const mistakes: [string, Spec][] = [
  ['key', { arg: 'true', colour: 'red' }],
  ['umask', { arg: 'true', umask: '888' }],
  ['umask', { arg: 'true', umask: ['22', '22'] }],
  ['nice', { arg: 'true', nice: '20' }],
  ['gid', { arg: 'true', uid: '1' }],
  ['groups', { arg: 'true', groups: '1' }],
  ['groups', { arg: 'true', uid: '1', gid: '1', groups: '1,,2' }],
  ['keep', { arg: 'true', keep: '67108865' }],
  ['timeout', { arg: 'true', timeout: '0' }],
  ['timeout', { arg: 'true', timeout: '-1' }],
  ['last', { arg: 'true', last: '18446744073709551616' }],
  ['stdout', { arg: 'true', stdout: 'nowhere' }],
  ['cwd', { arg: 'true', cwd: 'relative' }],
  ['execution', { arg: 'true', execution: 'a/b' }],
  ['arg', {}],
  ['arg', { arg: '' }],
  ['env', { arg: 'true', env: '=x' }],
  ['oom', { arg: 'true', oom: '1001' }],
  ['end', { arg: 'true', end: 'caller' }],
]
for (const [key, spec] of mistakes)
  test(`a spec with a wrong ${key} (${JSON.stringify(spec)}) is refused`, async () => {
    const run = serve.start({ execution: place.id(), ...spec }, place.id())
    assert.deepEqual(await run.refused(), { stage: 'spec', errno: errno.EINVAL, detail: key })
    assert.ok(!existsSync(join(place.claims, run.claim)))
  })

for (const name of ['', '.hidden', 'a/b', '..', 'x'.repeat(201)])
  test(`the claim name ${JSON.stringify(name.slice(0, 10))} is refused`, async () => {
    const run = serve.start({ arg: 'true' }, name)
    assert.equal((await run.refused()).stage, 'claim')
  })

test('the second start of one claim is answered with already, and does nothing', async () => {
  const file = join(open, 'once')
  const job: Spec = { arg: ['sh', '-c', `echo x >> ${file}; sleep 0.2`] }
  const first = serve.start(job)
  const second = serve.start(job, first.claim)
  await second.answer('already')
  assert.equal((await first.ended()).exit, 0)
  const third = serve.start(job, first.claim)
  await third.answer('already')
  assert.equal(readFileSync(file, 'utf8'), 'x\n')
})

test('the command has exactly the descriptors 0, 1 and 2, its own session and an empty signal mask', async () => {
  const look = 'ls -l /proc/self/fd; cat /proc/self/stat; grep Sig /proc/self/status; cat'
  const run = serve.start({ arg: ['sh', '-c', look], stdin: 'from the spec' })
  const { pid } = await run.started()
  await run.ended()
  const text = run.log('out').text
  const numbers = [...text.matchAll(/ (\d+) -> (\S+)/g)].map(
    match => `${match[1]} ${match[2]!.replace(/\d+/g, 'N')}`,
  )
  assert.deepEqual(numbers.slice(0, 3), ['0 /memfd:stdin', '1 pipe:[N]', '2 pipe:[N]'])
  assert.equal(numbers.length, 4, numbers.join()) // and the directory that ls reads
  assert.match(text, new RegExp(`\\(cat\\) R \\d+ ${pid} ${pid} `))
  assert.match(text, /SigBlk:\t0+\n/)
  assert.match(text, /SigIgn:\t0+\n/)
  assert.match(text, /from the spec$/)
})

test('environment, PATH and arguments are exactly the given ones', async () => {
  const run = serve.start({ arg: ['env'], env: ['A=1', 'B=two words', 'PATH=/no/such:/usr/bin:/bin'] })
  assert.equal((await run.ended()).exit, 0)
  assert.equal(run.log('out').text, 'A=1\nB=two words\nPATH=/no/such:/usr/bin:/bin\n')
})

test('working directory, umask, nice, limits and oom score are set', async () => {
  const look = 'pwd; umask; nice; ulimit -n; ulimit -c; ulimit -f; cat /proc/self/oom_score_adj'
  const spec = { cwd: open, umask: '0027', nice: 5, nofile: 64, core: 0, fsize: 1048576, oom: 300 }
  const run = serve.start({ arg: ['sh', '-c', look], ...spec })
  assert.equal((await run.ended()).exit, 0)
  assert.equal(run.log('out').text, `${open}\n0027\n5\n64\n0\n2048\n300\n`)
})

for (const name of ['setpriv', 'sh', 'kron-shim'])
  test(`a command that names itself ${name} and executes again is one start`, async () => {
    const file = join(open, `renamed-${name}`)
    const job = `echo x >> ${file}; printf ${name} > /proc/$$/comm; sleep 0.3; exec sh -c "sleep 0.1; exit 4"`
    const run = serve.start({ arg: ['sh', '-c', job], umask: '022' })
    assert.equal((await run.ended()).exit, 4)
    assert.deepEqual(
      run.answers.map(frame => frame.kind),
      ['started', 'ended'],
    )
    assert.equal(readFileSync(file, 'utf8'), 'x\n')
  })

test('1,000 starts at once are all answered', async () => {
  const runs = Array.from({ length: 1000 }, () => serve.start({ arg: 'true', keep: 0 }))
  for (const run of runs) {
    assert.equal((await run.ended()).exit, 0)
    assert.deepEqual(
      run.answers.map(frame => frame.kind),
      ['started', 'ended'],
    )
  }
})
