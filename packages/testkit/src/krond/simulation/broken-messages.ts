import { type Channel, fieldsOf } from '@kron/host'
import type { Clock } from '@kron/runtime'
import type { Run, StartAnswer } from '../../../../krond/src/effects/ports.ts'
import { intercept } from './machine.ts'
import type { Sabotage } from './sabotage.ts'
import { payloadOf } from './virtual-shims.ts'

/** A client that sees the frames of both directions, and may change them. */
function between(
  channel: Channel,
  send: (fields: readonly string[]) => void,
  receive: (fields: readonly string[]) => readonly string[],
): Channel {
  const client: Channel = { send, onFrame: () => {} }
  channel.onFrame = payload => client.onFrame(payloadOf(receive(fieldsOf(payload))))
  return client
}

/** Sends a start again, under another claim, if its answer has not come within a second. */
export function impatient(): Sabotage {
  let clock: Clock | undefined
  return {
    clock: each => {
      clock = each
      return each
    },
    channel: channel => {
      const open = new Set<string>()
      const send = (fields: readonly string[]): void => {
        channel.send(fields)
        const [kind, ref = '', claim = '', ...spec] = fields
        if (kind !== 'start') return
        open.add(ref)
        clock!.setTimer(1_000, () => {
          if (open.delete(ref)) channel.send([kind, ref, `${claim}-again`, ...spec])
        })
      }
      return between(channel, send, fields => {
        open.delete(fields[1] ?? '')
        return fields
      })
    },
  }
}

/** Takes the second answer to a start for the end of the run, even if it is the first once more. */
export const hasty = (): Sabotage => ({
  channel: channel => {
    const answered = new Set<string>()
    return between(
      channel,
      fields => channel.send(fields),
      fields => {
        const [kind = '', ref = ''] = fields
        if (answered.has(ref) && kind === 'started') return ['lost', ref]
        answered.add(ref)
        return fields
      },
    )
  },
})

/** Takes the end of a command whose shim was killed for a success. */
export const optimistic = (): Sabotage => ({
  processes: processes =>
    intercept(processes, {
      start: async request => cheerful(await processes.start(request)),
    }),
})

function cheerful(answer: StartAnswer): StartAnswer {
  if (answer.kind !== 'started') return answer
  const ended = answer.run.ended.then(ending =>
    ending.reason === 'unknown' ? { exitCode: 0, signal: null } : ending,
  )
  const run: Run = { ...answer.run, ended }
  return { kind: 'started', run }
}

/** Takes a start that serve did not answer before it was killed for one that never happened. */
export const forgetfulOfClaims = (): Sabotage => ({
  processes: processes =>
    intercept(processes, {
      follow: async (entry, claim) => {
        const trace = await processes.follow(entry, claim)
        if (trace.kind !== 'unknown' && trace.kind !== 'ended') return trace
        processes.release(claim)
        return { kind: 'never' }
      },
    }),
})
