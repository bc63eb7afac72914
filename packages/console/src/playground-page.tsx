/** The playground as a page of its own, without a daemon: the documentation site has it. */
import { render } from 'preact'
import { useRoute } from './route.ts'
import { Playground } from './views/playground.tsx'

const Page = () => <Playground parameters={useRoute().parameters} alone />

render(<Page />, document.getElementById('app')!)
