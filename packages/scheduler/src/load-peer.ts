/** Loads an optional peer on demand. Its name is a variable, so that a bundler does not resolve it. */
export async function loadPeer(name: string, purpose: string): Promise<unknown> {
  try {
    return await import(/* webpackIgnore: true */ /* @vite-ignore */ name)
  } catch (cause) {
    throw new Error(`${purpose} needs the package ${name}: npm install ${name}`, { cause })
  }
}
