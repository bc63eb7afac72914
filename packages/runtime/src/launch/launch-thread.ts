import { parentPort } from 'node:worker_threads'
import { KronError } from '@kron/core'
import type { Exit } from '../process/process-table.ts'
import { LaunchError } from './launcher.ts'
import { launch } from './posix-launcher.ts'
import { reap } from './reaper.ts'
import type { Reply, Request } from './thread-launcher.ts'

const port = parentPort!
let replies: Reply[] = []

function reply(message: Reply): void {
  if (replies.length === 0) {
    setImmediate(() => {
      port.postMessage(replies)
      replies = []
    })
  }
  replies.push(message)
}

async function serve(request: Request): Promise<void> {
  const { id } = request
  if (request.kind === 'reap') return tell(id, reap(request.pid))
  try {
    const { process, exited } = await launch(request.spec, '')
    reply({ kind: 'launched', id, pid: process.pid, startTime: process.startTime })
    await tell(id, exited)
  } catch (error) {
    reply(refused(id, error))
  }
}

async function tell(id: number, exited: Promise<Exit>): Promise<void> {
  reply({ kind: 'exited', id, exit: await exited })
}

function refused(id: number, error: unknown): Reply {
  const { message } = error as Error
  const hint = error instanceof KronError && error.hint !== undefined ? { hint: error.hint } : {}
  return error instanceof LaunchError
    ? { kind: 'refused', id, message, code: error.code, created: error.created, ...hint }
    : { kind: 'refused', id, message, ...hint }
}

port.on('message', (requests: Request[]) => {
  for (const request of requests) void serve(request)
})
port.postMessage('up')
