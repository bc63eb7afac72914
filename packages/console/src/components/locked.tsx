import { useRef } from 'preact/hooks'
import type { ViewerRecord } from '../api/records.ts'
import { token } from '../api/token.ts'

/** The advice for everything that this page may not show or do. */
export const LinkHint = () => (
  <>
    Open the link that <code>krontab console</code> prints on the host: it carries krond's own token.
  </>
)

/** Says which actions the viewer of this page may take. */
export const Limits = ({ viewer }: { readonly viewer: ViewerRecord | undefined }) =>
  viewer?.kind !== 'token' ? (
    <>This page may only look.</>
  ) : viewer.mayAct ? (
    <>The {viewer.user} may run, pause and resume jobs, but not do this.</>
  ) : (
    <>The {viewer.user} may only look: it cannot run, pause, resume or reload anything.</>
  )

/** From another machine, krond shows nothing without its token. */
export function Locked() {
  const field = useRef<HTMLInputElement>(null)
  return (
    <form
      class="panel locked"
      onSubmit={event => {
        event.preventDefault()
        token.set(field.current?.value.trim() ?? '')
      }}
    >
      <h2>krond wants to see its token first</h2>
      <p>
        <LinkHint /> Or type the token here; this tab forgets it when it is closed.
      </p>
      <label class="field">
        <span>Token</span>
        <input ref={field} type="password" autocomplete="off" />
      </label>
      <button type="submit">Open</button>
    </form>
  )
}
