/** Starts `true` so many times at once and prints how many of them there were. */
import { linuxProcessTable } from '../process/linux-process-table.ts'
import { posixLauncher } from './posix-launcher.ts'

const launcher = posixLauncher(linuxProcessTable())
const discard = { kind: 'discard' } as const
const starts = Array.from({ length: Number(process.argv[2]) }, () =>
  launcher.launch({ command: ['/bin/true'], environment: {}, stdout: discard, stderr: discard }),
)
const settled = await Promise.allSettled(starts)
console.log(settled.filter(each => each.status === 'fulfilled').length)
