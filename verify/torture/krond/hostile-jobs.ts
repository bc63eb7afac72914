import type { Chance } from '@kron/testkit/chance'

interface Deed {
  readonly command: string
  readonly settings?: string
  readonly policy?: string
}

/** Kills a shim or serve, which may be gone already, and notes it in a file that the adversary counts. */
function killed(victim: 'serve' | 'shim', pid: string): string {
  return `[ "$(ps -o comm= -p ${pid})" = kron-shim ] && kill -9 ${pid} && echo ${victim} >>$A/kills`
}

/** The directory of the arena stands for `$A`; every job first says which period it runs for. */
const DEEDS: Readonly<Record<string, Deed>> = {
  /** Names of the launcher's own steps. */
  renames: { command: `perl -e '$0 = q(kron-shim); select undef, undef, undef, 0.1; $0 = q(setpriv)'` },
  daemonises: { command: '(setsid sh -c "sleep 0.5" >/dev/null 2>&1 &)' },
  /** Its descendant keeps the output open. */
  lingers: { command: '(setsid sleep 1 &); exit 3' },
  forks: {
    command: 'bomb() { bomb | bomb & sleep 0.2; }; bomb 2>/dev/null',
    settings: 'user=nobody nproc=60 timeout=3s grace=0s',
    policy: 'forbid',
  },
  closes: { command: 'exec 0<&- 1>&- 2>&-; sleep 0.1' },
  ignoresTerm: { command: 'trap "" TERM INT HUP; sleep 1; sleep 1', settings: 'timeout=3s grace=1s' },
  /** A gigabyte, as fast as it can. */
  floods: {
    command: 'head -c 1073741824 /dev/zero',
    settings: 'output_keep=4K stdout=discard',
    policy: 'forbid',
  },
  killsItsShim: { command: `${killed('shim', '$PPID')}; sleep 0.1` },
  killsServe: { command: `S=$(ps -o ppid= -p $PPID); ${killed('serve', '$S')}; sleep 0.1` },
  killsBoth: {
    command: `S=$(ps -o ppid= -p $PPID); ${killed('serve', '$S')}; ${killed('shim', '$PPID')}; sleep 0.1`,
  },
  /** Another session lets serve go on: the job itself may be ended before. */
  stopsServe: {
    command:
      'P=$(ps -o ppid= -p $PPID); setsid sh -c "sleep 0.2; kill -CONT $P" & kill -STOP $P; sleep 0.3; wait',
  },
  fillsTheDisk: { command: 'head -c 16777216 /dev/zero > $A/disk/filler; sleep 0.2; rm -f $A/disk/filler' },
}

export const HOSTILE: readonly string[] = Object.keys(DEEDS)

/** A line for a job that does one of these deeds in each of its periods. */
export function hostileJob(deed: string, chance: Chance, says: string, directory: string): string {
  const { command, settings = '', policy = chance.pick(['allow', 'forbid', 'replace']) } = DEEDS[deed]!
  const script = `${says}; ${command}`.replaceAll('$A', directory).replaceAll(/[\\"]/g, '\\$&')
  const schedule = `* * * * * @policy(concurrency=${policy},deadline=${chance.pick(['10s', '1m', '10m'])})`
  const name = deed.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
  return `${schedule} name=${name} ${settings} shell=true command="${script}"`
}
