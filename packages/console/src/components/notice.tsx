import type { ComponentChildren } from 'preact'
import type { ApiError } from '../api/client.ts'

/** Shown instead of data: nothing there, still loading, or the reason why it is not available. */
export function Notice({
  title,
  children,
}: {
  readonly title: string
  readonly children?: ComponentChildren
}) {
  return (
    <div class="notice" role="status">
      <p class="notice-title">{title}</p>
      {children !== undefined && <p>{children}</p>}
    </div>
  )
}

export const Problem = ({ problem }: { readonly problem: ApiError }) => (
  <div class="notice problem" role="alert">
    <p class="notice-title">{problem.message}</p>
    {problem.hint !== '' && <p>{problem.hint}</p>}
  </div>
)

export const Loading = () => (
  <div class="notice" role="status">
    <p>Loading…</p>
  </div>
)
