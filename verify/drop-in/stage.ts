/** Debian's cron and krond at the same time on the same crontabs, under one clock that leaves out their idle time. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Span } from '../originals/cron.ts'
import { crontabs } from './crontabs.ts'

/** What the probe wrote of one command or mail. */
export interface Seen {
  readonly kind: 'command' | 'mail'
  /** Epoch seconds. */
  readonly at: number
  readonly argv: readonly string[]
  readonly environment: readonly string[]
  readonly cwd: string
  readonly uid: string
  readonly gid: string
  readonly groups: readonly number[]
  readonly umask: string
  readonly nice: number
  readonly signals: string
  readonly descriptors: readonly number[]
  readonly stdin: string
}

export interface Observed {
  readonly cron: readonly Seen[]
  readonly krond: readonly Seen[]
  /** What krond printed. */
  readonly log: string
}

/**
 * Each daemon has mounts of its own: the same accounts, crontabs and sendmail at cron's own places. The script writes only
 * below these mounts: everything else, such as the root directory, is the machine's own.
 */
const HOST = `
set -e
mount --bind "$WORK/$WHO" "$WORK/stage"
for place in /var/spool /run; do
  mount -t tmpfs none $place
done
mount -t tmpfs none "$WORK/etc"
cp -a /etc/. "$WORK/etc"
mount --bind "$WORK/etc" /etc
rm -rf /etc/cron.d /etc/crontab /etc/localtime
ln -s "/usr/share/zoneinfo/$ZONE" /etc/localtime
echo "$ZONE" > /etc/timezone
for module in auth account session; do echo "$module required pam_permit.so"; done > /etc/pam.d/cron
sed -i "s|^\\(www-data:[^:]*:[^:]*:[^:]*:[^:]*\\):[^:]*:|\\1:$WORK/home:|" /etc/passwd
echo 'kron-probe:x:54321:www-data,daemon' >> /etc/group
cp -a "$WORK/crontabs/etc/." /etc
cp -a "$WORK/crontabs/var/spool/." /var/spool
chmod 1730 /var/spool/cron/crontabs
mount -t tmpfs none "$WORK/overlay"
mkdir "$WORK/overlay/files" "$WORK/overlay/work"
ln -s "$WORK/stage/probe" "$WORK/overlay/files/sendmail"
mount -t overlay none -o "lowerdir=/usr/sbin,upperdir=$WORK/overlay/files,workdir=$WORK/overlay/work" /usr/sbin
cd /
# A shell lets what it starts in the background ignore both.
exec env -i --default-signal=INT,QUIT PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \\
  KRON_CLOCK="$WORK/clock" KRON_DAEMON="$NUMBER" LD_PRELOAD="$WORK/clock.so" "$@"
`

/** The first process of the namespace: it starts both, and ends them when the conductor says that the time is over. */
const STAGE = `
start() {
  WHO=$1 NUMBER=$2
  export WHO NUMBER
  shift 2
  unshare --mount sh -c "$HOST" sh "$@" > "$WORK/$WHO.log" 2>&1 &
}
start cron 0 "$CRON" -f -L 0
cron=$!
start krond 1 "$KRON" krond start --system-crontab /etc/crontab --system-crontab /etc/cron.d \\
  --user-crontabs /var/spool/cron/crontabs --state-dir /run/krond-state --pid-file /run/krond.pid
krond=$!
"$WORK/conductor" "$WORK/clock" "$UNTIL" "$WORK/cron/seen" "$WORK/krond/seen"
ended=$?
kill $cron $krond
wait $krond
exit $ended
`

/** Cron and krond run beside each other from the first instant to the second. */
export function observe(cron: string, kron: string, { zone, from, until }: Span): Observed {
  const work = mkdtempSync(join(tmpdir(), 'kron-stage-'))
  try {
    chmodSync(work, 0o755)
    build(work)
    for (const name of ['stage', 'etc', 'overlay', 'home', 'cron', 'krond']) mkdirSync(join(work, name))
    for (const daemon of ['cron', 'krond']) {
      copyFileSync(join(work, 'probe'), join(work, daemon, 'probe'))
      symlinkSync('../clock', join(work, daemon, 'clock'))
      writeFileSync(join(work, daemon, 'seen'), '')
      chmodSync(join(work, daemon, 'seen'), 0o666)
    }
    install(work)
    writeFileSync(join(work, 'clock'), pageShowing(from))
    const { status } = spawnSync(
      'unshare',
      ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', 'sh', '-c', STAGE],
      {
        env: {
          PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
          WORK: work,
          HOST,
          CRON: cron,
          KRON: kron,
          ZONE: zone,
          UNTIL: String(until),
        },
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    )
    const log = readFileSync(join(work, 'krond.log'), 'utf8')
    if (status !== 0)
      throw new Error(`the stage failed: ${readFileSync(join(work, 'cron.log'), 'utf8')}${log}`)
    const seen = (daemon: string): Seen[] =>
      readFileSync(join(work, daemon, 'seen'), 'utf8')
        .split('\n')
        .filter(line => line !== '')
        .map(line => JSON.parse(line) as Seen)
    return { cron: seen('cron'), krond: seen('krond'), log }
  } finally {
    rmSync(work, { recursive: true })
  }
}

function build(work: string): void {
  const source = (name: string): string => join(import.meta.dirname, 'stage', name)
  const compile = (...words: string[]): unknown => execFileSync('cc', ['-O1', '-Wall', '-Wextra', ...words])
  compile('-shared', '-fPIC', '-o', join(work, 'clock.so'), source('clock.c'))
  for (const name of ['conductor', 'probe']) compile('-o', join(work, name), source(`${name}.c`))
}

function install(work: string): void {
  for (const { path, text, mode, owner } of crontabs(join(work, 'stage/probe'))) {
    const file = join(work, 'crontabs', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    chmodSync(file, mode)
    execFileSync('chown', [`${owner}:`, file])
  }
}

/** The shared page at the beginning: the shift of the wall clock, no time left out, both daemons awake. */
function pageShowing(seconds: number): Buffer {
  const page = Buffer.alloc(4096)
  page.writeBigInt64LE(BigInt(Math.round(seconds * 1000 - Date.now())) * 1_000_000n)
  return page
}
