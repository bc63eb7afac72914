import { readFileSync, writeFileSync } from 'node:fs'
import { parseJobFile } from '@kron/krontab/format'

declare const gc: () => void
const N = Number(process.argv[2] ?? 100000)
const path = `/tmp/perf-${N}.kron`
if (process.argv[3] === 'make') {
  const zones = ['Europe/Paris', 'America/New_York', 'UTC', 'Asia/Tokyo']
  const dists = ['uniform', 'normal', 'skewEarly,shape=3', 'exponential,lambda=2']
  const wins = ['30m', '1h', '2h', '6h', '90s']
  const lines: string[] = []
  for (let i = 0; i < N; i++) {
    lines.push(
      `${i % 60} ${Math.floor(i / 60) % 24} * * ${['*', '1-5', 'MON'][i % 3]} @tz(${zones[i % 4]}) @win(after,${wins[i % 5]}) @dist(${dists[(i >> 2) % 4]}) @policy(deadline=${1 + (i % 50)}m) name=team/job-${i} command="/usr/local/bin/backup --set ${i} --quiet"${i % 10 === 0 ? ' user=backup env=A=b' : ''}${i % 7 === 0 ? ` description="Backup of set ${i}"` : ''}`,
    )
  }
  writeFileSync(path, `${lines.join('\n')}\n`)
  process.exit()
}
let text: string | undefined = readFileSync(path, 'utf8')
gc()
const a = process.memoryUsage()
const c0 = process.cpuUsage()
const t = performance.now()
const file = parseJobFile(text, '/etc/krond.d/jobs.kron')
const c1 = process.cpuUsage(c0)
console.log('ms', performance.now() - t, 'user', c1.user / 1000, 'sys', c1.system / 1000, file.entries.length, file.faults.length)
const before = a.heapUsed - text.length
text = undefined
gc()
gc()
console.log('heap/job', (process.memoryUsage().heapUsed - before) / N, 'rss', process.memoryUsage().rss / 1e6, file.entries[0]!.name)
