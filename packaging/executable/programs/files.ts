import { getAsset, getAssetKeys } from 'node:sea'
import { embed } from '@kron/host'

const CONSOLE = 'console/'

/** The shim and the console come from the executable itself. */
export const embedFiles = (): void =>
  embed({
    shim: () => Buffer.from(getAsset('shim')),
    console: () =>
      new Map(
        getAssetKeys()
          .filter(key => key.startsWith(CONSOLE))
          .map(key => [key.slice(CONSOLE.length), Buffer.from(getAsset(key))]),
      ),
  })
