import { millisecondsText, plural, visible } from '@kron/cli'
import { OUTCOME_STYLES, outcomeText } from '@kron/core'
import { nameOf } from '@kron/host'
import { outcomeOfEvent } from '../http/outcome-record.ts'
import { type Event, fieldOf } from './event.ts'

/** A line for a person at a terminal: time, job, event. Undefined for events that only machines need. */
export function printShort(event: Event, time: string): string | undefined {
  const text = textOf(event)
  if (text === undefined) return undefined
  const clock = time.slice(11, 19)
  const identity = 'identity' in event ? event.identity : ''
  const job = identity === '' ? 'krond' : nameOf(identity)
  return visible(`${clock}  ${job.padEnd(NAME_WIDTH)}  ${text}`)
}

const NAME_WIDTH = 16

/** The periods that were missed before this one and have no line of their own. */
function earlierText(event: Event): string {
  if (!('earlierMissed' in event) || event.earlierMissed === undefined) return ''
  const atLeast = 'evenMoreMissed' in event && event.evenMoreMissed ? 'at least ' : ''
  return `; ${atLeast}${plural(event.earlierMissed, 'earlier period')} missed, too`
}

function textOf(event: Event): string | undefined {
  const outcome = outcomeOfEvent(event, '')
  if (outcome !== undefined) {
    const { icon, word } = OUTCOME_STYLES[outcome.kind]
    const why = outcome.kind === 'succeeded' ? '' : `: ${outcomeText(outcome)}`
    const took = event.event === 'finished' ? ` after ${millisecondsText(event.durationMs)}` : ''
    return `${icon} ${word}${took}${why}${earlierText(event)}`
  }
  switch (event.event) {
    case 'started': {
      const by = event.user === undefined ? '' : `, by ${event.user}`
      return `${OUTCOME_STYLES.running.icon} started, pid ${event.pid}${by}`
    }
    case 'output':
      return 'text' in event ? `| ${event.text}` : event.message
    case 'queued':
      return event.reason === 'disk' ? 'waits for room on the disk' : 'waits for a place (--max-concurrent)'
    case 'started_daemon':
      return `running ${plural(event.jobs, 'job')}`
    case 'listening':
      return `console at ${event.address}`
    case 'reload':
      return 'errors' in event
        ? `reload refused: ${event.errors} mistakes; the old job files stay`
        : `reloaded: ${event.added} added, ${event.changed} changed, ${event.removed} removed, ${event.unchanged} unchanged`
    case 'notified':
      return `told ${event.target} (${event.about})`
    case 'shutdown':
      return event.phase
    case 'decision':
    case 'timed_out':
    case 'loading':
      return undefined
    default: {
      const field = (name: string): string => String(fieldOf(event, name) ?? '')
      const place = field('file') === '' ? '' : ` (${field('file')}:${field('line')})`
      const hint = field('hint') === '' ? '' : `; ${field('hint')}`
      const mark = event.level === 'error' ? 'error: ' : event.level === 'warn' ? 'warning: ' : ''
      return `${mark}${field('message') || event.event.replaceAll('_', ' ')}${place}${hint}`
    }
  }
}
