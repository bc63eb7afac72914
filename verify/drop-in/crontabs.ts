import { SCHEDULES } from './corpus.ts'

/** A crontab as it is installed on the host. */
export interface Crontab {
  readonly path: string
  readonly text: string
  readonly mode: number
  readonly owner: string
}

/** Lines under the same conditions: the variables above them, who runs them, and what they run. */
interface Section {
  /** The last part is the file in /etc/cron.d, unless it is a whole path. */
  readonly file: string
  readonly variables?: string
  /** Without one, the table belongs to its user. */
  readonly user?: string
  readonly between?: string
  readonly command: (probe: string) => string
}

const SPOOL = '/var/spool/cron/crontabs/'

const SECTIONS: readonly Section[] = [
  {
    file: '/etc/crontab',
    variables: 'SHELL=/bin/sh\nPATH=/usr/local/sbin:/usr/bin:/bin\n',
    user: 'root',
    command: probe => probe,
  },
  {
    file: 'words',
    user: 'www-data',
    command: probe => `${probe} one "two  three" $HOME '$HOME' \\"x *`,
  },
  {
    file: 'bash',
    variables:
      'SHELL=/bin/bash\nCOLOUR = "light blue"\n\'QUOTED\' = \'it is\'\nEMPTY=""\nTRAILING = blank   \n',
    user: 'www-data',
    command: probe => `${probe} "\${BASH_VERSION:+bash}" {a,b}`,
  },
  {
    file: 'home',
    variables: 'HOME=/tmp\nLOGNAME=eve\nUSER=mallory\n',
    user: 'www-data',
    command: probe => probe,
  },
  { file: 'input', user: 'www-data', command: probe => `${probe}%one%two \\% three%` },
  { file: 'escaped', user: 'daemon', command: probe => `${probe} a\\%b \\\\%` },
  { file: 'tabs', user: 'daemon', between: '\t \t', command: probe => `${probe}   trailing blanks  ` },
  {
    file: 'mail-ops',
    variables: 'MAILTO=ops@example.org\n',
    user: 'www-data',
    command: probe => `${probe} say`,
  },
  {
    file: 'mail-html',
    variables:
      'MAILTO=a@example.org,b@example.org\nCONTENT_TYPE="text/html; charset=UTF-8"\nCONTENT_TRANSFER_ENCODING=8bit\n',
    user: 'root',
    command: probe => `${probe} say`,
  },
  { file: 'mail-none', variables: 'MAILTO=""\n', user: 'www-data', command: probe => `${probe} say` },
  { file: 'mail-user', user: 'www-data', command: probe => `${probe} say and fail` },
  { file: 'missing-home', user: 'nobody', command: probe => probe },
  {
    file: 'shell',
    user: 'root',
    command: probe => `cd /usr && umask 027 && nice -n 3 ${probe} >/dev/null 2>&1; true | cat # ${probe}`,
  },
  { file: 'later-variables', variables: 'A=1\n', user: 'root', command: probe => `${probe} $A$B` },
  {
    file: 'variables-of-programs',
    variables: 'TZ=Asia/Tokyo\nLANG=de_DE.UTF-8\nLD_LIBRARY_PATH=/nowhere\nIFS=x\n',
    user: 'daemon',
    command: probe => probe,
  },
  {
    file: `${SPOOL}www-data`,
    variables: '# a comment\n\nGREETING="hello, world"\n',
    command: probe => `${probe} $GREETING`,
  },
  { file: `${SPOOL}root`, variables: 'MAILTO=root\nPATH=/bin:/usr/bin\n', command: probe => `${probe} say` },
]

/** The name of a line, which is its first word to the probe. */
export const nameOf = (section: string, n: number): string => `${section.replace(/.*\//, '')}-${n}`

export interface Line {
  readonly name: string
  readonly file: string
  readonly schedule: string
}

/** Frequent enough to be seen even in half a day. */
const EVERYWHERE = ['25 */4 * * *', '50 3,8,17 * * *', '5 1,13 * * *']

/** The lines of every section: the schedules are dealt out like cards, and each gets some that come in any night. */
export const LINES: readonly Line[] = SECTIONS.flatMap(({ file }, s) =>
  [...SCHEDULES.filter((_, n) => n % SECTIONS.length === s), ...EVERYWHERE].map((schedule, n) => ({
    name: nameOf(file, n),
    file: file.startsWith('/') ? file : `/etc/cron.d/${file}`,
    schedule,
  })),
)

/** Files that cron ignores, as a whole or for their name. */
const REFUSED: readonly (readonly [name: string, line: string, mode?: number, owner?: string])[] = [
  ['dotted.name', 'ROOT'],
  ['.hidden', 'ROOT'],
  ['broken', 'ROOT61 * * * * root x\n'],
  ['no-such-user', 'ROOT* * * * * nobody-at-all x\n'],
  ['bare-variable', 'EMPTY=\nROOT'],
  ['others-write', 'ROOT', 0o666],
  ['of-www-data', 'ROOT', 0o644, 'www-data'],
]

/** Every crontab of the host, with the path of the probe in it. */
export function crontabs(probe: string): Crontab[] {
  const own = SECTIONS.map(({ file, variables = '', user, between = ' ', command }): Crontab => {
    const path = file.startsWith('/') ? file : `/etc/cron.d/${file}`
    const lines = LINES.filter(line => line.file === path).map(({ name, schedule }, n) => {
      const later = file === 'later-variables' && n % 3 === 2 ? `B=${n}\n` : ''
      const words = [schedule.replaceAll(' ', between), ...(user === undefined ? [] : [user])]
      return `${later}${[...words, command(`${probe} ${name}`)].join(between)}\n`
    })
    const owner = path.startsWith(SPOOL) ? path.slice(SPOOL.length) : 'root'
    return {
      path,
      text: `${variables}${lines.join('')}`,
      mode: path.startsWith(SPOOL) ? 0o600 : 0o644,
      owner,
    }
  })
  const refused = REFUSED.map(
    ([name, text, mode = 0o644, owner = 'root']): Crontab => ({
      path: `/etc/cron.d/${name}`,
      text: text.replace('ROOT', `*/30 * * * * root ${probe} refused-${name}\n`),
      mode,
      owner,
    }),
  )
  const once: Crontab = {
    path: '/etc/cron.d/at-boot',
    text: `@reboot www-data ${probe} at-boot\n\t@reboot\troot\t${probe} at-boot-root say\n`,
    mode: 0o644,
    owner: 'root',
  }
  const unfinished: Crontab = {
    ...once,
    path: '/etc/cron.d/unfinished',
    text: `*/30 * * * * root ${probe} unfinished`,
  }
  return [...own, ...refused, once, unfinished]
}
