/** Two crashes are the same if kind, message without particulars, and place are. */
export function crashKey(error: unknown): string {
  if (!(error instanceof Error)) return `thrown ${typeof error}`
  const place = /\/(?:packages|fuzz\/targets)\/[^\s)]+?(?=:\d+:\d+)/.exec(error.stack ?? '')?.[0] ?? ''
  return `${error.name} ${error.message.replace(/"[^"]*"|\d+/g, '').slice(0, 80)} ${place}`
}

export async function thrownBy(act: () => void | Promise<void>): Promise<unknown> {
  try {
    await act()
    return undefined
  } catch (error) {
    return error
  }
}

const MOST_TRIES = 2_000

/** The shortest part of the input that causes the same crash. */
export async function shrink(
  input: string,
  key: string,
  run: (input: string) => void | Promise<void>,
): Promise<string> {
  const crashes = async (text: string): Promise<boolean> => {
    const error = await thrownBy(() => run(text))
    return error !== undefined && crashKey(error) === key
  }
  let smallest = input
  let tries = 0
  for (let size = input.length >> 1; size > 0; size >>= 1) {
    for (let at = 0; at < smallest.length && tries < MOST_TRIES; ) {
      const shorter = smallest.slice(0, at) + smallest.slice(at + size)
      tries++
      if (await crashes(shorter)) smallest = shorter
      else at += size
    }
  }
  return smallest
}
