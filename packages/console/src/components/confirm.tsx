import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from '../api/client.ts'
import { useWorld } from '../context.ts'
import { Limits, LinkHint } from './locked.tsx'

interface ConfirmProps {
  readonly title: string
  /** The word on the button that does it. */
  readonly verb: string
  readonly allowed: boolean
  readonly children?: ComponentChildren
  /** Does it, and says in a sentence how it went. */
  readonly act: () => Promise<string>
  readonly onClose: () => void
}

type Stage =
  | { readonly kind: 'asking' | 'acting' }
  | { readonly kind: 'done'; readonly text: string }
  | { readonly kind: 'refused'; readonly error: ApiError }

/** Asks before something is done, then tells what krond said. */
export function Confirm({ title, verb, allowed, children, act, onClose }: ConfirmProps) {
  const world = useWorld()
  const dialog = useRef<HTMLDialogElement>(null)
  const [stage, setStage] = useState<Stage>({ kind: 'asking' })
  useEffect(() => dialog.current?.showModal(), [])
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    setStage({ kind: 'acting' })
    try {
      setStage({ kind: 'done', text: await act() })
    } catch (error) {
      setStage({
        kind: 'refused',
        error: error instanceof ApiError ? error : new ApiError(-1, (error as Error).message),
      })
    }
  }
  const over = stage.kind === 'done' || !allowed
  return (
    <dialog ref={dialog} class="confirm" onClose={onClose} aria-label={title}>
      <form onSubmit={submit}>
        <h2>{title}</h2>
        {!allowed ? (
          <p>
            <Limits viewer={world.viewer} /> <LinkHint />
          </p>
        ) : stage.kind === 'done' ? (
          <p class="good" role="status">
            {stage.text}
          </p>
        ) : (
          <fieldset disabled={stage.kind === 'acting'}>{children}</fieldset>
        )}
        {stage.kind === 'refused' && <Refused error={stage.error} />}
        <div class="buttons">
          <button type="button" onClick={() => dialog.current?.close()}>
            {over ? 'Close' : 'Cancel'}
          </button>
          {!over && (
            <button type="submit" class="primary" disabled={stage.kind === 'acting'}>
              {stage.kind === 'acting' ? 'Asking krond…' : stage.kind === 'refused' ? 'Try again' : verb}
            </button>
          )}
        </div>
      </form>
    </dialog>
  )
}

/** Status 0 means no answer: it is unknown whether krond has done it. */
function Refused({ error: { status, message, hint } }: { readonly error: ApiError }) {
  return (
    <div class="bad" role="alert">
      <p>
        {status === 0
          ? 'krond did not answer. It may or may not have done it: look at the history of the job.'
          : `Refused: ${message}`}
      </p>
      {status === 401 || status === 403 ? (
        <p>
          <LinkHint />
        </p>
      ) : (
        hint !== '' && status !== 0 && <p class="faint">{hint}</p>
      )}
    </div>
  )
}
