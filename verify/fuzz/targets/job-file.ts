import {
  argvOf,
  type Entry,
  parseJobFile,
  printJobFile,
  removeEntry,
} from '../../../packages/host/src/index.ts'
import { mustLieInside } from '../faults.ts'
import { seedFiles } from '../seed-files.ts'
import { must, type Target } from '../target.ts'

const PATH = '/etc/krond.d/fuzz.kron'

export const target: Target = {
  seeds: [
    ...seedFiles('examples/*.kron').flatMap(text => [text, ...text.split('\n')]),
    '0 2 * * * name=a command="/bin/echo \\"x\\"" shell=true user=root group=adm cwd=/tmp env=A=b env=C="d e"',
    '@daily name=b command=/bin/true umask=0022 timeout=1h grace=5s stdout=/var/log/%Y-%m-%d.log stderr=discard',
    '* * * * * name=c command=/bin/true inherit_env=false nofile=64 nproc=32 stdout=syslog description="d"',
  ],
  tokens:
    '\n \t # name= command= shell=true user= group= cwd=/ env=A= inherit_env=false umask=0777 timeout=1h grace=0s stdout= stderr= nofile= nproc= description= discard inherit syslog file:/x %Y%m%d%% " \\ = @daily @tz(UTC) @win(after,1h) 0 * /bin/true a-b_c.d'.split(
      / /,
    ),
  longest: 300,
  run(text) {
    const file = parseJobFile(text, PATH)
    const lines = text.split('\n').length
    for (const fault of file.faults) {
      must(fault.line >= 1 && fault.line <= lines, 'a fault names a line of the file')
      mustLieInside(fault.source, [fault])
    }
    const [entry] = file.entries
    if (entry === undefined) return
    must(argvOf(entry).length > 0, 'an entry can be executed')
    const printed = printJobFile(file.entries)
    const again = parseJobFile(printed, PATH)
    must(again.faults.length === 0, 'a printed file has no faults')
    must(printJobFile(again.entries) === printed, 'a printed file prints the same')
    must(
      again.entries.every((each, i) => isSame(each, file.entries[i]!)),
      'a printed file means the same',
    )
    const rest = removeEntry(text, PATH, entry.name)
    must(rest !== undefined && rest.length < text.length, 'an entry can be removed')
  },
}

const isSame = (a: Entry, b: Entry): boolean =>
  a.identity === b.identity &&
  a.command === b.command &&
  a.shell === b.shell &&
  a.description === b.description &&
  JSON.stringify(a.settings) === JSON.stringify(b.settings)
