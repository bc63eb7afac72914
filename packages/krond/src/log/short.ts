import { millisecondsText, visible } from '@kron/cli'
import { OUTCOME_STYLES, outcomeText } from '@kron/core'
import { nameOf } from '@kron/host'
import { outcomeOfEvent } from '../http/outcome-record.ts'
import type { Event } from './event.ts'

/** A line for a person at a terminal: time, job, what happened. Undefined for events that only machines want. */
export function printShort(event: Event, time: string): string | undefined {
  const text = textOf(event)
  if (text === undefined) return undefined
  const clock = time.slice(11, 19)
  const job = event.identity === undefined || event.identity === '' ? 'krond' : nameOf(event.identity)
  return visible(`${clock}  ${job.padEnd(NAME_WIDTH)}  ${text}`)
}

const NAME_WIDTH = 16

function textOf(event: Event): string | undefined {
  const field = (key: string): string => String(event[key] ?? '')
  const outcome = outcomeOfEvent(event, '')
  if (outcome !== undefined) {
    const { icon, word } = OUTCOME_STYLES[outcome.kind]
    const why = outcome.kind === 'succeeded' ? '' : `: ${outcomeText(outcome)}`
    const took =
      typeof event['duration_ms'] === 'number' ? ` after ${millisecondsText(event['duration_ms'])}` : ''
    return `${icon} ${word}${took}${why}`
  }
  switch (event.event) {
    case 'started':
      return `${OUTCOME_STYLES.running.icon} started, pid ${field('pid')}${event['user'] === undefined ? '' : `, by ${field('user')}`}`
    case 'output':
      return event['text'] === undefined ? field('message') : `| ${field('text')}`
    case 'started_daemon':
      return `running ${field('jobs')} jobs`
    case 'listening':
      return `console at ${field('address')}`
    case 'reload':
      return event['errors'] === undefined
        ? `reloaded: ${field('added')} added, ${field('changed')} changed, ${field('removed')} removed, ${field('unchanged')} unchanged`
        : `reload refused: ${field('errors')} mistakes; the old job files stay`
    case 'notified':
      return `told ${field('target')} (${field('about')})`
    case 'shutdown':
      return field('phase') === 'stopping' ? 'stopping' : 'stopped'
    case 'decision':
    case 'timed_out':
    case 'loading':
      return undefined
    default: {
      const place = event['file'] === undefined ? '' : ` (${field('file')}:${field('line')})`
      const hint = event['hint'] === undefined ? '' : `; ${field('hint')}`
      const mark = event.level === 'error' ? 'error: ' : event.level === 'warn' ? 'warning: ' : ''
      return `${mark}${field('message') || event.event.replaceAll('_', ' ')}${place}${hint}`
    }
  }
}
