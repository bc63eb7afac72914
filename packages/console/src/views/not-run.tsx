import { useEffect, useState } from 'preact/hooks'
import { type ApiError, get } from '../api/client.ts'
import type { OutcomePage, OutcomeRecord } from '../api/records.ts'
import { useWorld, zoneOf } from '../context.ts'
import { momentText, relativeText } from '../model/format.ts'
import { secondsOf } from '../model/instant.ts'
import { GLYPHS, LABELS, reasonText } from '../model/outcome.ts'
import { OutcomeBadge } from '../parts/badge.tsx'
import { Loading, Notice, Problem } from '../parts/notice.tsx'
import { amend, jobRoute } from '../route.ts'

const KINDS = ['failed', 'missed', 'skipped', 'unschedulable'] as const
const PAGE = 200

/** What failed, and what did not run at all, with reasons. */
export function NotRun({ parameters }: { readonly parameters: Readonly<Record<string, string>> }) {
  const world = useWorld()
  const zone = zoneOf(parameters)
  const wanted = KINDS.filter(kind => (parameters['kinds'] ?? KINDS.join()).split(',').includes(kind))
  const { outcomes, problem, more, loadMore } = useOutcomes(wanted, world.pulse)
  const words = (parameters['q'] ?? '').toLowerCase().split(/\s+/)
  const shown = outcomes?.filter(each => words.every(word => each.identity.toLowerCase().includes(word)))
  const toggle = (kind: (typeof KINDS)[number]): void => {
    const kinds = wanted.includes(kind) ? wanted.filter(each => each !== kind) : [...wanted, kind]
    amend({ kinds: kinds.length === KINDS.length ? undefined : kinds.join() || 'none' })
  }
  return (
    <section class="page" aria-label="What did not run">
      <div class="toolbar">
        <fieldset class="chips">
          <legend class="sr">Kinds</legend>
          {KINDS.map(kind => (
            <button
              key={kind}
              type="button"
              class={`chip ${kind}`}
              aria-pressed={wanted.includes(kind)}
              onClick={() => toggle(kind)}
            >
              <span aria-hidden="true">{GLYPHS[kind]}</span> {LABELS[kind]}
            </button>
          ))}
        </fieldset>
      </div>
      {problem !== undefined && <Problem problem={problem} />}
      {shown === undefined ? (
        problem === undefined && <Loading />
      ) : shown.length === 0 ? (
        <Notice title="Nothing here">
          {wanted.length === 0
            ? 'Choose at least one kind.'
            : 'Everything that krond remembers ran, and ended well.'}
        </Notice>
      ) : (
        <div class="scroll-x panel">
          <table class="not-run">
            <thead>
              <tr>
                <th scope="col">when</th>
                <th scope="col">job</th>
                <th scope="col">what</th>
                <th scope="col">why</th>
                <th scope="col">period</th>
              </tr>
            </thead>
            <tbody>
              {shown.map(each => (
                <Row key={`${each.identity} ${each.periodId}`} record={each} now={world.now()} zone={zone} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {more && (
        <p class="more">
          <button type="button" onClick={loadMore}>
            Show older ones
          </button>
        </p>
      )}
    </section>
  )
}

function Row({ record, now, zone }: { record: OutcomeRecord; now: number; zone: string }) {
  const at = secondsOf(record.completedAt) ?? 0
  const name = record.identity.slice(record.identity.lastIndexOf(':') + 1)
  return (
    <tr>
      <td title={momentText(at, zone)}>{relativeText(at, now)}</td>
      <td>
        <a href={jobRoute(record.identity, record.periodId)} title={record.identity}>
          {name}
        </a>
      </td>
      <td>
        <OutcomeBadge record={record} />
      </td>
      <td>{reasonText(record)}</td>
      <td class="faint">{momentText(secondsOf(record.periodId) ?? 0, zone)}</td>
    </tr>
  )
}

/** The newest page, kept up to date, and older ones that were asked for. */
function useOutcomes(kinds: readonly string[], pulse: number) {
  const [pages, setPages] = useState<readonly OutcomePage[]>()
  const [problem, setProblem] = useState<ApiError>()
  const outcome = kinds.join()
  const load = (before: string | undefined): Promise<OutcomePage> =>
    outcome === ''
      ? Promise.resolve({ outcomes: [], next: null })
      : get<OutcomePage>('history', { outcome, limit: PAGE, before })
  useEffect(() => {
    let current = true
    load(undefined).then(
      page => {
        if (!current) return
        setProblem(undefined)
        setPages([page])
      },
      (error: ApiError) => current && setProblem(error),
    )
    return () => {
      current = false
    }
  }, [outcome, pulse])
  const next = pages?.at(-1)?.next ?? null
  const loadMore = (): void => {
    if (next !== null) load(next).then(page => setPages(old => [...(old ?? []), page]), setProblem)
  }
  return { outcomes: pages?.flatMap(page => page.outcomes), problem, more: next !== null, loadMore }
}
