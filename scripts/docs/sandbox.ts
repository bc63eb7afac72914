import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Block, type Shown, shownIn } from './blocks.ts'
import { root } from './pages.ts'

/** Snippets are typed as an ordinary user, whoever runs the tests: root's job files are the host's own. */
const ORDINARY = '--import=data:text/javascript,process.getuid=()=>1000'

/** Stand-ins for the programs around Kron; each does the least that the snippets need. */
export const STAND_INS = {
  // Without what would be lost, so that an import succeeds.
  crontab: `grep -v -e MAILTO -e @reboot '${root}/examples/crontab'`,
  npx: 'exec "$@"',
  kubectl: `case "$1 $2" in
'get cronjob') cat <<'END'
apiVersion: batch/v1
kind: CronJob
metadata: {name: backup, namespace: shop}
spec:
  schedule: "0 2 * * *"
  timeZone: Europe/Paris
  jobTemplate:
    spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}}}
END
;;
apply*) for last; do :; done; if [ "$last" = - ]; then cat >/dev/null; else test -s "$last"; fi ;;
esac`,
  // The daemon of the sandbox answers, whatever the address; a live feed is left after a second.
  curl: `[ -x /usr/bin/curl ] || exit 0
case "$*" in
*/events*) /usr/bin/curl --fail --max-time 1 "$@" --unix-socket "$KROND_LISTEN" || [ $? = 28 ] ;;
*) exec /usr/bin/curl --fail "$@" --unix-socket "$KROND_LISTEN" ;;
esac`,
} satisfies Readonly<Record<string, string>>

/** The programs, run from their sources, and the stand-ins. */
export function makePrograms(directory: string): void {
  mkdirSync(directory, { recursive: true })
  const node = (source: string, ...options: string[]): string =>
    `exec '${process.execPath}' ${[...options, '--conditions=kron-source'].map(each => `'${each}'`).join(' ')} '${join(root, source)}' "$@"`
  const programs = {
    ...STAND_INS,
    krontab: node('packages/krontab/src/bin/krontab.ts', ORDINARY),
    krond: node('packages/krond/src/bin/krond.ts'),
    kronctl: node('packages/operator/src/bin/kronctl.ts'),
  }
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(directory, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(directory, name), 0o755)
  }
}

export interface Typed {
  readonly code: number | null
  readonly said: string
  readonly shown: readonly (Shown & { readonly printed: string })[]
}

/** Types the blocks of a page, one after the other, in a home of its own; the first failure ends it. */
export async function typeIn(home: string, programs: string, blocks: readonly Block[]): Promise<Typed> {
  mkdirSync(home, { recursive: true })
  symlinkSync(join(root, 'examples'), join(home, 'examples'))
  const outputs: Shown[] = []
  const lines = blocks.flatMap(block => {
    if (block.claim.kind !== 'shown') return [block.text]
    return shownIn(block.text).map(shown => {
      outputs.push(shown)
      return `${shown.command} > '${home}/.printed-${outputs.length}'`
    })
  })
  const child = spawn('sh', ['-eu'], {
    cwd: home,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      PATH: `${programs}:/usr/local/bin:/usr/bin:/bin`,
      HOME: home,
      // The programs run many times from their sources.
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      TZ: 'UTC',
      LANG: 'C.UTF-8',
      KROND_CONFIG: join(home, '.config/krond'),
      KROND_STATE_DIR: join(home, '.local/state/krond'),
      KROND_PID_FILE: join(home, 'krond.pid'),
      KROND_LISTEN: join(home, 'krond.sock'),
    },
  })
  let said = ''
  child.stdout.on('data', (data: Buffer) => (said += data))
  child.stderr.on('data', (data: Buffer) => (said += data))
  child.stdin.end(`set -x\n${lines.join('\n')}\n`)
  const [code] = (await once(child, 'close')) as [number | null]
  const shown = outputs.map((each, i) => ({ ...each, printed: readIfThere(`${home}/.printed-${i + 1}`) }))
  return { code, said, shown }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
