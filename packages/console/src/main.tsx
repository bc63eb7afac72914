import { render } from 'preact'
import { takeToken } from './api/token.ts'
import { App } from './app.tsx'
import { WorldContext } from './context.ts'
import { World } from './model/world.ts'

takeToken()
const world = new World()
world.start()
addEventListener('hashchange', () => takeToken() && location.reload())
render(
  <WorldContext.Provider value={world}>
    <App />
  </WorldContext.Provider>,
  document.getElementById('app')!,
)
