import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Banner } from './components/banner.tsx'
import { Header, TABS } from './components/header.tsx'
import { Help } from './components/help.tsx'
import { Locked } from './components/locked.tsx'
import { useWorld } from './context.ts'
import { isTyping } from './keys.ts'
import { printRoute, useRoute, type View, type ViewParameters } from './route.ts'
import { JobPage } from './views/job.tsx'
import { Jobs } from './views/jobs.tsx'
import { Load } from './views/load.tsx'
import { Overview } from './views/overview.tsx'
import { Playground } from './views/playground.tsx'
import { Timeline } from './views/timeline.tsx'

export function App() {
  const world = useWorld()
  const route = useRoute()
  const Page = PAGES[route.view]
  const [help, setHelp] = useState(false)
  useGlobalKeys(() => setHelp(old => !old))
  return (
    <>
      <Header world={world} route={route} />
      <Banner world={world} />
      <main id="main">
        {world.connection === 'locked' ? <Locked /> : <Page parameters={route.parameters} />}
      </main>
      {help && <Help onClose={() => setHelp(false)} />}
    </>
  )
}

const PAGES: Readonly<Record<View, ComponentType<{ readonly parameters: ViewParameters }>>> = {
  overview: Overview,
  timeline: Timeline,
  jobs: Jobs,
  load: Load,
  playground: Playground,
  job: JobPage,
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
