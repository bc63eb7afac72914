import { parentPort } from 'node:worker_threads'
import { readProcessStat } from '../process/proc-stat.ts'
import type { Exit } from '../process/process-table.ts'
import { launch } from './launch.ts'
import { reap } from './reaper.ts'
import { Refusal } from './refusal.ts'
import type { Reply, Request } from './thread-launcher.ts'

/** Milliseconds in which replies gather: receiving each alone would cost the other side more than the launch. */
const GATHER = 2

const port = parentPort!
let replies: Reply[] = []

function reply(message: Reply): void {
  if (replies.length === 0) {
    setTimeout(() => {
      port.postMessage(replies)
      replies = []
    }, GATHER)
  }
  replies.push(message)
}

async function serve(request: Request): Promise<void> {
  const { id } = request
  if (request.kind === 'reap') return reply({ kind: 'exited', id, exit: await reapOrphan(request) })
  try {
    const { pid, startTime, exited } = await launch(request.spec)
    reply({ kind: 'launched', id, pid, startTime })
    reply({ kind: 'exited', id, exit: await exited })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { message, code, hint } = error
    reply({ kind: 'refused', id, message, code, hint })
  }
}

/** If the thread before had reaped it, the PID may be another child's by now. */
async function reapOrphan({ pid, startTime }: Extract<Request, { kind: 'reap' }>): Promise<Exit> {
  return readProcessStat(pid)?.startTime === startTime ? reap(pid) : { kind: 'unknown' }
}

port.on('message', (requests: Request[]) => {
  for (const request of requests) void serve(request)
})
port.postMessage('up')
