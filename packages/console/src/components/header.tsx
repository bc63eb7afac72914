import { useEffect } from 'preact/hooks'
import { jobsText, localZone } from '../model/format.ts'
import type { World } from '../model/world.ts'
import { amend, printRoute, type Route, type View } from '../route.ts'

export const TABS: readonly { readonly view: View; readonly title: string }[] = [
  { view: 'overview', title: 'Overview' },
  { view: 'timeline', title: 'Timeline' },
  { view: 'jobs', title: 'Jobs' },
  { view: 'load', title: 'Load' },
  { view: 'playground', title: 'Playground' },
]

export function Header({ world, route }: { readonly world: World; readonly route: Route }) {
  const { parameters, view } = route
  const utc = parameters['zone'] === 'utc'
  const zone = utc ? 'utc' : undefined
  const host = world.status?.host
  useEffect(() => {
    document.title = host === undefined ? 'Kron' : `${host} · Kron`
  }, [host])
  return (
    <header class="top">
      <a class="brand" href={printRoute('overview', { zone })}>
        <img src="icon.svg" alt="" width="20" height="20" /> kron
        {host !== undefined && <span class="host">{host}</span>}
      </a>
      <nav aria-label="Views">
        {TABS.map(tab => (
          <a
            key={tab.view}
            href={printRoute(tab.view, { zone })}
            aria-current={tab.view === view || (tab.view === 'jobs' && view === 'job') ? 'page' : undefined}
          >
            {tab.title}
          </a>
        ))}
      </nav>
      <div class="top-end">
        {(view === 'timeline' || view === 'jobs') && (
          <input
            type="search"
            id="search"
            placeholder="Search jobs  /"
            aria-label="Search jobs"
            value={parameters['q'] ?? ''}
            onInput={event => amend({ q: event.currentTarget.value })}
          />
        )}
        <button
          type="button"
          class="quiet"
          onClick={() => amend({ zone: utc ? undefined : 'utc' })}
          title="Your zone; a click switches between it and UTC"
        >
          {utc ? 'UTC' : localZone()}
        </button>
        <Pulse world={world} />
      </div>
    </header>
  )
}

const WORDS = { connecting: 'connecting', live: 'live', lost: 'disconnected', locked: 'locked' } as const

function Pulse({ world }: { readonly world: World }) {
  const { status, connection, running } = world
  const about =
    status === undefined ? '' : `krond ${status.version}, ${jobsText(status.jobs)}, ${running.size} running`
  return (
    <span class={`pulse ${connection}`} title={about} role="status">
      <i aria-hidden="true" /> {WORDS[connection]}
    </span>
  )
}
