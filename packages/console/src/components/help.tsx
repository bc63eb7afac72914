import { OUTCOME_KINDS } from '@kron/core'
import { useEffect, useRef } from 'preact/hooks'
import { Badge } from './badge.tsx'

const SHORTCUTS: readonly (readonly [string, string])[] = [
  ['/', 'search'],
  ['1 – 5', 'overview, timeline, jobs, load, playground'],
  ['↑ ↓', 'in the timeline: select a job; Enter opens it'],
  ['Shift ← →', 'in the timeline: go from mark to mark of the selected job; Enter opens the mark'],
  ['← →', 'in the timeline: move through time'],
  ['+ −', 'zoom'],
  ['n', 'back to now'],
  ['?', 'this help'],
]

export function Help({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} onClose={onClose} aria-label="Keyboard">
      <h2>Keyboard</h2>
      <dl class="facts">
        {SHORTCUTS.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <h2>Outcomes</h2>
      <p class="badges">
        {OUTCOME_KINDS.map(kind => (
          <Badge key={kind} kind={kind} />
        ))}
      </p>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  )
}
