/** Lines with one mistake each; the offending text stands between « and ». */
export const MISTAKES: readonly string[] = [
  '«61» 2 * * * name=m01 command=/bin/true',
  '0 «25» * * * name=m02 command=/bin/true',
  '0 2 «32» * * name=m03 command=/bin/true',
  '0 2 * «FEB-JAN» * name=m04 command=/bin/true',
  '0 2 * * «MOON» name=m05 command=/bin/true',
  '0 2 * *«» name=m06 command=/bin/true',
  '0 0 «30» 2 * name=m07 command=/bin/true',
  '«@reboot» name=m08 command=/bin/true',
  '0 2 * * * @tz(«Europe/Pari») name=m09 command=/bin/true',
  '0 2 * * * @win(«sideways»,2h) name=m10 command=/bin/true',
  '0 2 * * * @win(after,«750h») name=m11 command=/bin/true',
  '0 2 * * * @win(after,2«d») name=m12 command=/bin/true',
  '0 2 * * * @win(after,2h) @dist(«gauss») name=m13 command=/bin/true',
  '0 2 * * * @win(after,2h) @dist(skewEarly,shape=«-1») name=m14 command=/bin/true',
  '0 2 * * * @seed(«hourly») name=m15 command=/bin/true',
  '0 2 * * * @policy(concurrency=«maybe») name=m16 command=/bin/true',
  '0 2 * * * @only(hours=«24») name=m17 command=/bin/true',
  '0 2 * * * @avoid(between=«23:00-01:00») name=m18 command=/bin/true',
  '0 2 * * * @tz(UTC) «@tz»(UTC) name=m19 command=/bin/true',
  '0 2 * * * «@jitter»(5m) name=m20 command=/bin/true',
  '0 2 * * * name=«Nightly» command=/bin/true',
  '0 2 * * * command=/bin/true«»',
  '0 2 * * * name=m23«»',
  '0 2 * * * name=m24 «comand»=x command=/bin/true',
  '0 2 * * * name=m25 command=/bin/true «name»=again',
  '0 2 * * * name=m26 command=«"/bin/echo never closed»',
  '0 2 * * * name=m27 command="/bin/echo «\\n»"',
  '0 2 * * * name=m28 command=/bin/echo «hello world» cwd=/tmp',
  '0 2 * * * name=m29 command=/bin/true umask=«0999»',
  '0 2 * * * name=m30 command=/bin/true stdout=file:/tmp/«%Q».log',
]

export const withoutMarks = (line: string): string => line.replace(/[«»]/g, '')

/** The mistakes, mixed with valid lines, comments and blank lines. */
export const MISTAKEN_FILE = MISTAKES.map(
  (line, i) => `# mistake ${i + 1}\n${withoutMarks(line)}\n\n@daily name=fine-${i + 1} command=/bin/true\n`,
).join('')
