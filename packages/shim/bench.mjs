// Compares 1,000 starts of /bin/true through `kron-shim serve` with a bare posix_spawn loop of the same command.
//
//   node packages/shim/bench.mjs [COUNT] [ROUNDS]
//
// Prints the times and their ratio, and the memory of one idle run. It asserts nothing: machines differ.
import { execFileSync, spawn } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shimPath } from './index.js'

const [count = 1000, rounds = 5] = process.argv.slice(2).map(Number)
// As krond does it: claims lie in memory (/run), not on a disk.
const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'kron-shim-bench-'))
for (const name of ['claims', 'runs']) mkdirSync(join(root, name))

writeFileSync(
  join(root, 'loop.c'),
  `#include <spawn.h>
   #include <stdio.h>
   #include <stdlib.h>
   #include <sys/wait.h>
   #include <time.h>
   int main(int argc, char **argv) {
     char *arguments[] = {"true", NULL}, *environment[] = {NULL};
     struct timespec from, to;
     int count = argc > 1 ? atoi(argv[1]) : 0;
     clock_gettime(CLOCK_MONOTONIC, &from);
     for (int i = 0; i < count; i++) {
       pid_t pid;
       if (posix_spawn(&pid, "/bin/true", NULL, NULL, arguments, environment) != 0) return 1;
     }
     while (wait(NULL) > 0) continue;
     clock_gettime(CLOCK_MONOTONIC, &to);
     printf("%f", (double)(to.tv_sec - from.tv_sec) * 1e3 + (double)(to.tv_nsec - from.tv_nsec) / 1e6);
   }`,
)
execFileSync('cc', ['-O2', '-o', join(root, 'loop'), join(root, 'loop.c')])

const lock = openSync(join(root, 'lock'), 'w')
const argv = ['serve', join(root, 'claims'), join(root, 'runs'), '-', '0', '0', '-']
const serve = spawn(process.env.KRON_SHIM ?? shimPath(), argv, {
  stdio: ['ignore', 'ignore', 'inherit', 'pipe', lock],
  env: {},
})
closeSync(lock)
const socket = serve.stdio[3]
let waiting = Buffer.alloc(0)
let onFrame = () => {}
socket.on('data', data => {
  waiting = Buffer.concat([waiting, data])
  while (waiting.length >= 4 && waiting.length >= 4 + waiting.readUInt32LE(0)) {
    const end = 4 + waiting.readUInt32LE(0)
    onFrame(waiting.subarray(4, end).toString().split('\0'))
    waiting = waiting.subarray(end)
  }
})
let ref = 0
const frame = command => {
  ref++
  const fields = ['start', String(ref), `c${ref}`, 'kron-run/1', `execution=e${ref}`, 'job=bench']
  const body = Buffer.from(`${[...fields, ...command.map(word => `arg=${word}`)].join('\0')}\0`)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(body.length)
  return Buffer.concat([length, body])
}

/** Starts `count` commands; resolves to the time until all have started, and until all have ended. */
const burst = () =>
  new Promise((resolve, reject) => {
    let started = 0
    let ended = 0
    let startedMs = 0
    const from = performance.now()
    onFrame = ([kind, ...fields]) => {
      if (kind === 'started' && ++started === count) startedMs = performance.now() - from
      else if (kind === 'ended' && ++ended === count)
        resolve({ startedMs, endedMs: performance.now() - from })
      else if (kind === 'refused') reject(new Error(fields.join(' ')))
    }
    socket.write(Buffer.concat(Array.from({ length: count }, () => frame(['/bin/true']))))
  })

const ratios = []
for (let round = 0; round < rounds; round++) {
  const bare = Number(execFileSync(join(root, 'loop'), [String(count)], { encoding: 'utf8' }))
  const { startedMs, endedMs } = await burst()
  ratios.push(endedMs / bare)
  const text = [bare, startedMs, endedMs].map(ms => ms.toFixed(0).padStart(5))
  console.log(
    `${count} starts: posix_spawn loop ${text[0]} ms; serve: started ${text[1]} ms, ended ${text[2]} ms; ratio ${ratios.at(-1).toFixed(2)}`,
  )
}
ratios.sort((a, b) => a - b)
console.log(`median ratio ${ratios[Math.floor(ratios.length / 2)].toFixed(2)}`)

const shim = await new Promise(resolve => {
  onFrame = ([kind, , , , pid]) => kind === 'started' && setTimeout(() => resolve(pid), 300)
  socket.write(frame(['/bin/sleep', '5']))
})
for (const [name, pid] of [
  ['run', shim],
  ['serve', serve.pid],
]) {
  const memory = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const of = key => Number(new RegExp(`^${key}: +(\\d+)`, 'm').exec(memory)[1])
  console.log(
    `${name}: resident ${of('Rss')} kB, private ${of('Private_Clean') + of('Private_Dirty')} kB, of which dirty ${of('Private_Dirty')} kB`,
  )
}
serve.kill('SIGKILL')
rmSync(root, { recursive: true, force: true, maxRetries: 20 })
