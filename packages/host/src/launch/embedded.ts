/** Files that the single executable carries in itself. */
export interface EmbeddedFiles {
  /** The kron-shim of this architecture. */
  readonly shim: () => Buffer
  /** The built console by path, as `assets/index.js`. */
  readonly console: () => ReadonlyMap<string, Buffer>
}

let files: EmbeddedFiles | undefined

/** Called once, before anything else, by the single executable. */
export const embed = (embedded: EmbeddedFiles): void => {
  files = embedded
}

/** Undefined in every other installation. */
export const embeddedFiles = (): EmbeddedFiles | undefined => files
