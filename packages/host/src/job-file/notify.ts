import { type Faults, quote } from '@kron/core'
import { flat } from './flat.ts'
import type { Word } from './words.ts'

/** The destination of a message. */
export type NotifyTarget =
  | { readonly kind: 'mail'; readonly address: string }
  | { readonly kind: 'webhook'; readonly url: string }
  | { readonly kind: 'command'; readonly path: string }

export const NOTIFY_EVENTS = [
  'failed',
  'missed',
  'unschedulable',
  'timed_out',
  'recovered',
  'output',
] as const

/** The kinds of messages. `recovered`: the first success after a failure. `output`: the run printed something. */
export type NotifyEvent = (typeof NOTIFY_EVENTS)[number]

export const DEFAULT_NOTIFY_EVENTS: readonly NotifyEvent[] = [
  'failed',
  'missed',
  'unschedulable',
  'recovered',
]

/** A target as it is written. */
export function printTarget(target: NotifyTarget): string {
  switch (target.kind) {
    case 'mail':
      return `mail:${target.address}`
    case 'webhook':
      return `webhook:${target.url}`
    case 'command':
      return `command:${target.path}`
  }
}

const ADDRESS = /^[A-Za-z0-9._%+-]+(@[A-Za-z0-9.-]+)?$/

/** Parses a comma-separated list of targets; `none` is an empty list. `wrong` is a text that is not a target. */
export function parseTargets(text: string): readonly NotifyTarget[] | { readonly wrong: string } {
  if (text === 'none') return []
  const targets: NotifyTarget[] = []
  for (const part of text.split(',')) {
    const target = parseTarget(part.trim())
    if (target === undefined) return { wrong: part.trim() }
    targets.push(target)
  }
  return targets
}

function parseTarget(text: string): NotifyTarget | undefined {
  const colon = text.indexOf(':')
  const [kind, value] = [text.slice(0, Math.max(0, colon)), text.slice(colon + 1)]
  if (kind === 'mail' && ADDRESS.test(value)) return { kind, address: flat(value) }
  if (kind === 'webhook' && isWebUrl(value)) return { kind, url: flat(value) }
  if (kind === 'command' && /^\/[^\s]*$/.test(value)) return { kind, path: flat(value) }
  return undefined
}

/** Whether the text is a web URL without a password in it. */
export function isWebUrl(text: string): boolean {
  if (!/^https?:\/\//.test(text)) return false
  try {
    const { username, password } = new URL(text)
    return username === '' && password === ''
  } catch {
    return false
  }
}

/** Parses a comma-separated list of events. */
export function parseNotifyEvents(text: string): readonly NotifyEvent[] | { readonly wrong: string } {
  const events: NotifyEvent[] = []
  for (const part of text.split(',')) {
    const event = NOTIFY_EVENTS.find(each => each === part.trim())
    if (event === undefined) return { wrong: part.trim() }
    events.push(event)
  }
  return events
}

export const TARGET_HINT =
  'write mail:ops@example.org, webhook:https://…, command:/path, with commas between them, or none'
export const EVENTS_HINT = `events are ${NOTIFY_EVENTS.join(', ')}`

export function readTargets({ value, raw }: Word, faults: Faults): readonly NotifyTarget[] | null {
  const targets = parseTargets(value.text)
  if (!('wrong' in targets)) return targets
  faults.syntax(raw, `${quote(targets.wrong)} is not a target of notifications`, TARGET_HINT)
  return null
}

export function readNotifyEvents({ value, raw }: Word, faults: Faults): readonly NotifyEvent[] | null {
  const events = parseNotifyEvents(value.text)
  if (!('wrong' in events)) return events
  faults.syntax(raw, `${quote(events.wrong)} is not an event`, EVENTS_HINT)
  return null
}

export function readPing({ value, raw }: Word, faults: Faults): string | null {
  if (isWebUrl(value.text)) return flat(value.text)
  faults.syntax(
    raw,
    `${quote(value.text)} is not an address of the web`,
    'write ping=https://hc.example/uuid',
  )
  return null
}
