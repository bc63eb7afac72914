/** The host's time zone files, read by Kron, against Python's zoneinfo and Node's ICU: `npm run verify -- zones`. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findZone, runtimeZoneData, type Zone } from '@kron/core'
import { HostZones, ZONEINFO } from '@kron/host'
import { commandLine } from '../command-line.ts'

const USAGE = `usage: npm run verify -- zones [options]
  --directory D   TZif files (default ${ZONEINFO})

Every zone, every change of its offset from 1970 to 2200. Python's zoneinfo reads the same files and must agree on all of them.
Node's ICU must agree where it has the same version of the data: where pip is there, the files of that version are fetched from
PyPI (package tzdata). Beyond 2037 both follow the rule in the footer of a file.

  npm run verify -- zones
`
const { values } = commandLine(USAGE, { directory: { type: 'string', default: ZONEINFO } })
const END = Date.UTC(2200, 0, 1) / 1_000

type Change = readonly [at: number, offset: number]

function changesOf(zone: Zone): Change[] {
  const changes: Change[] = [[0, zone.offsetAt(0)]]
  for (let at = zone.endOf(zone.rowAt(0)); at < END; at = zone.endOf(zone.rowAt(at)))
    if (zone.offsetAt(at) !== changes.at(-1)![1]) changes.push([at, zone.offsetAt(at)])
  return changes
}

function namesIn(directory: string, within = ''): string[] {
  return readdirSync(join(directory, within)).flatMap(each => {
    const name = within === '' ? each : `${within}/${each}`
    if (['posix', 'right'].includes(name)) return []
    return statSync(join(directory, name)).isDirectory() ? namesIn(directory, name) : [name]
  })
}

/** Reads the changes of every zone by bisection between two looks a day, as a stranger would. */
const PYTHON = `
import sys, json, zoneinfo, datetime
zoneinfo.reset_tzpath([sys.argv[1]])
UTC = datetime.timezone.utc
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=UTC)
def changes(name, end):
    zone = zoneinfo.ZoneInfo.no_cache(name)
    def offset(at):
        return int((EPOCH + datetime.timedelta(seconds=at)).astimezone(zone).utcoffset().total_seconds())
    found = [(0, offset(0))]
    at, step = 0, 86400 * 3
    while at < end:
        following = min(at + step, end)
        if offset(following) != found[-1][1]:
            low, high = at, following
            while high - low > 1:
                middle = (low + high) // 2
                if offset(middle) == found[-1][1]: low = middle
                else: high = middle
            if high < end: found.append((high, offset(high)))
            at = high
        else:
            at = following
    return found
for line in sys.stdin:
    name = line.strip()
    print(json.dumps([name, changes(name, int(sys.argv[2]))]), flush=True)
`

function changesByPython(directory: string, names: readonly string[]): Map<string, Change[]> | undefined {
  const input = `${names.join('\n')}\n`
  const python = spawnSync('python3', ['-c', PYTHON, directory, String(END)], {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (python.status !== 0) {
    console.log(`python3 cannot say: ${python.error?.message ?? python.stderr.trim().split('\n').at(-1)}`)
    return undefined
  }
  return new Map(
    python.stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as [string, Change[]]),
  )
}

/** The files of ICU's version from PyPI, kept in var. */
function filesOfRuntime(): string | undefined {
  const [, year, letter] = /^ICU (\d{4})([a-z])$/.exec(runtimeZoneData()) ?? []
  if (letter === undefined) return undefined
  const version = `${year}.${letter.charCodeAt(0) - 96}`
  const directory = join(import.meta.dirname, '../../var/zones', version)
  const files = join(directory, 'tzdata/zoneinfo')
  if (existsSync(files)) return files
  mkdirSync(directory, { recursive: true })
  const pip = spawnSync('python3', ['-m', 'pip', 'install', '-q', '--no-deps', '--target', directory, `tzdata==${version}`]) // biome-ignore format: one line
  return pip.status === 0 && existsSync(files) ? files : undefined
}

/** How many zones differ; each is told with its first difference. */
function compare(
  zones: HostZones,
  names: readonly string[],
  other: string,
  otherChanges: (name: string) => Change[] | undefined,
): number {
  let differing = 0
  let changes = 0
  let compared = 0
  for (const name of names) {
    const own = changesOf(zones.find(name)!)
    const theirs = otherChanges(name)
    if (theirs === undefined) continue
    compared++
    changes += own.length
    const place = own.findIndex((each, i) => String(each) !== String(theirs[i]))
    if (place < 0 && own.length === theirs.length) continue
    differing++
    const at = place < 0 ? own.length : place
    console.log(
      `  ${name}: kron ${String(own[at] ?? 'no change')}, ${other} ${String(theirs[at] ?? 'no change')}`,
    )
  }
  console.log(`${zones.source()}, ${other}: ${compared} zones, ${changes} offsets, ${differing} zones differ`)
  return compared === 0 ? 1 : differing
}

let failures = 0
const zones = new HostZones(values.directory)
const isZone = (of: HostZones) => (name: string) => of.find(name)?.source.startsWith('tzdata') === true
const names = existsSync(values.directory) ? namesIn(values.directory).filter(isZone(zones)) : []
for (const { path, why } of zones.unused()) {
  failures++
  console.log(`${path} is not used: ${why}`)
}
const python = names.length === 0 ? undefined : changesByPython(values.directory, names)
if (python !== undefined) failures += compare(zones, names, 'Python zoneinfo', name => python.get(name))
const files = filesOfRuntime()
const own = files === undefined ? zones : new HostZones(files)
const isSameVersion = own.source().replace('tzdata', 'ICU') === runtimeZoneData()
const byRuntime = (name: string): Change[] | undefined => {
  const zone = findZone(name)
  return zone && changesOf(zone)
}
const ownNames = files === undefined ? names : namesIn(files).filter(isZone(own))
const differing = compare(own, ownNames, runtimeZoneData(), byRuntime)
if (isSameVersion) failures += differing
else console.log('the versions are not the same: zones whose rules changed in between differ rightly')
process.exitCode = failures === 0 && (python !== undefined || isSameVersion) ? 0 : 1
