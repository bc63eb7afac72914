import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

export interface ImageConfig {
  readonly User: string
  readonly Env: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly Cmd?: readonly string[]
}

/** Buildah with a store of its own in a directory: it builds Dockerfiles without a daemon. */
export class Buildah {
  private readonly store: readonly string[]

  constructor(directory: string) {
    const place = (name: string): string => join(directory, name)
    this.store = ['--storage-driver', 'vfs', '--root', place('store'), '--runroot', place('run')]
  }

  run(...args: readonly string[]): string {
    return execFileSync('buildah', [...this.store, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 28,
    }).trim()
  }

  /** Builds with nothing but the base images that are in the store. */
  build(context: string, dockerfile: string, tag: string, cache: string): void {
    const shared = ['--volume', `${cache}:/root/.npm`]
    const how = ['--pull-never', '--isolation', 'chroot', '--layers=false', ...shared]
    this.run('bud', ...how, '--file', join(context, dockerfile), '--tag', tag, context)
  }

  /** The files of a new container of the image. */
  mount(image: string): string {
    return this.run('mount', this.run('from', '--pull-never', image))
  }

  configOf(image: string): ImageConfig {
    const told = JSON.parse(this.run('inspect', '--type', 'image', image)) as {
      OCIv1: { config: ImageConfig }
    }
    return told.OCIv1.config
  }
}
