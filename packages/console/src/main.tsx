import { render } from 'preact'
import { App } from './app.tsx'
import { WorldContext } from './context.ts'
import { World } from './model/world.ts'

const world = new World()
world.start()
render(
  <WorldContext.Provider value={world}>
    <App />
  </WorldContext.Provider>,
  document.getElementById('app')!,
)
