import { useEffect, useRef } from 'preact/hooks'
import { LinkHint } from '../components/locked.tsx'
import { bytesText } from '../model/format.ts'
import { withoutSequences } from '../model/run-output.ts'
import { useOutput } from '../model/use-output.ts'

interface RunOutputProps {
  readonly identity: string
  readonly runId: string
  readonly running: boolean
}

/** The text that a run printed; standard error is marked at its left edge. */
export function RunOutput({ identity, runId, running }: RunOutputProps) {
  const { parts, problem } = useOutput(identity, runId, running)
  const box = useRef<HTMLPreElement>(null)
  const atEnd = useRef(true)
  useEffect(() => {
    if (running && atEnd.current && box.current !== null) box.current.scrollTop = box.current.scrollHeight
  }, [parts, running])
  if (problem !== undefined && (problem.status === 401 || problem.status === 403))
    return (
      <p class="faint">
        Output is shown to whoever brings the token. <LinkHint />
      </p>
    )
  if (problem !== undefined && parts === undefined) return <p class="faint">{problem.message}.</p>
  if (parts === undefined) return <p class="faint">Loading the output…</p>
  if (parts.length === 0)
    return <p class="faint">{running ? 'It has printed nothing yet.' : 'It printed nothing.'}</p>
  const look = (): void => {
    const { scrollTop, clientHeight, scrollHeight } = box.current!
    atEnd.current = scrollTop + clientHeight >= scrollHeight - 8
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: people without a pointer scroll it by keyboard.
    // biome-ignore lint/a11y/useSemanticElements: a section would not keep the line breaks.
    <pre class="output" ref={box} onScroll={look} tabIndex={0} role="region" aria-label="Output">
      {parts.map((part, i) =>
        part.stream === 'gap' ? (
          <span key={i} class="gap">{`… ${bytesText(part.bytes)} not kept …\n`}</span>
        ) : (
          <span key={i} class={part.stream}>
            {withoutSequences(part.text)}
          </span>
        ),
      )}
    </pre>
  )
}
