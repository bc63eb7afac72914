import { clockText, localZone } from '../model/format.ts'
import type { World } from '../model/world.ts'

/** Warns on every page that the data on show is old. */
export function Banner({ world }: { readonly world: World }) {
  if (world.connection !== 'lost') return null
  return (
    <p class="banner bad" role="alert">
      {world.lostAt > 0
        ? `Disconnected from krond since ${clockText(world.lostAt, localZone())}: the page shows the state of that time. Trying again…`
        : 'krond cannot be reached. Trying again…'}
    </p>
  )
}
