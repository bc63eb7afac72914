import { useEffect, useRef, useState } from 'preact/hooks'
import { token } from './api/client.ts'
import { useWorld } from './context.ts'
import { isTyping } from './keys.ts'
import { clockText, jobsText, localZone } from './model/format.ts'
import type { World } from './model/world.ts'
import { amend, printRoute, type Route, useRoute, type View } from './route.ts'
import { JobPage } from './views/job.tsx'
import { Load } from './views/load.tsx'
import { NotRun } from './views/not-run.tsx'
import { Playground } from './views/playground.tsx'
import { Timeline } from './views/timeline.tsx'

const TABS: readonly { readonly view: View; readonly title: string }[] = [
  { view: 'timeline', title: 'Timeline' },
  { view: 'load', title: 'Load' },
  { view: 'not-run', title: 'Did not run' },
  { view: 'playground', title: 'Playground' },
]

export function App() {
  const world = useWorld()
  const route = useRoute()
  const [help, setHelp] = useState(false)
  useGlobalKeys(() => setHelp(old => !old))
  return (
    <>
      <Header world={world} route={route} />
      <ConnectionNotice world={world} />
      <main id="main">{world.connection === 'locked' ? <Locked /> : <Page route={route} />}</main>
      {help && <Help onClose={() => setHelp(false)} />}
    </>
  )
}

function Page({ route: { view, parameters } }: { readonly route: Route }) {
  switch (view) {
    case 'timeline':
      return <Timeline parameters={parameters} />
    case 'load':
      return <Load parameters={parameters} />
    case 'not-run':
      return <NotRun parameters={parameters} />
    case 'playground':
      return <Playground parameters={parameters} />
    case 'job':
      return <JobPage parameters={parameters} />
  }
}

function Header({ world, route }: { readonly world: World; readonly route: Route }) {
  const { parameters, view } = route
  const utc = parameters['zone'] === 'utc'
  const searchable = view === 'timeline' || view === 'not-run'
  const zone = utc ? 'utc' : undefined
  return (
    <header class="top">
      <a class="brand" href={printRoute('timeline', { zone })}>
        <img src="icon.svg" alt="" width="20" height="20" /> kron
      </a>
      <nav aria-label="Views">
        {TABS.map(tab => (
          <a
            key={tab.view}
            href={printRoute(tab.view, { zone })}
            aria-current={tab.view === view ? 'page' : undefined}
          >
            {tab.title}
          </a>
        ))}
      </nav>
      <div class="top-end">
        {searchable && (
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
          title="Which zone times are shown in"
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

function ConnectionNotice({ world }: { readonly world: World }) {
  const refused = world.status?.refusedFiles ?? []
  if (world.connection === 'lost' && world.lostAt > 0)
    return (
      <p class="banner bad" role="alert">
        Disconnected from krond since {clockText(world.lostAt, localZone())}: what you see is from then.
        Trying again…
      </p>
    )
  if (world.connection === 'lost')
    return (
      <p class="banner bad" role="alert">
        krond cannot be reached. Trying again…
      </p>
    )
  if (refused.length > 0)
    return (
      <p class="banner" role="status">
        Left out because of mistakes: {refused.join(', ')}
      </p>
    )
  return null
}

/** Beyond this machine krond shows nothing without its token. */
function Locked() {
  const field = useRef<HTMLInputElement>(null)
  return (
    <form
      class="panel locked"
      onSubmit={event => {
        event.preventDefault()
        token.set(field.current?.value.trim() ?? '')
      }}
    >
      <label class="field">
        <span>Token</span>
        <input ref={field} type="password" autocomplete="off" />
      </label>
      <p class="faint">
        It is in the file that krond was given with --token-file. This tab forgets it when it is closed.
      </p>
      <button type="submit">Open</button>
    </form>
  )
}

const SHORTCUTS: readonly (readonly [string, string])[] = [
  ['/', 'search'],
  ['1 – 4', 'timeline, load, did not run, playground'],
  ['↑ ↓', 'select a job, Enter opens it'],
  ['← →', 'move through time'],
  ['+ −', 'zoom'],
  ['n', 'back to now'],
  ['?', 'this help'],
]

function Help({ onClose }: { readonly onClose: () => void }) {
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
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  )
}

function useGlobalKeys(toggleHelp: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && document.activeElement instanceof HTMLInputElement)
        document.activeElement.blur()
      if (isTyping(event)) return
      const tab = TABS[Number(event.key) - 1]
      if (tab !== undefined) location.hash = printRoute(tab.view)
      else if (event.key === '?') toggleHelp()
      else if (event.key === '/') document.getElementById('search')?.focus()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
