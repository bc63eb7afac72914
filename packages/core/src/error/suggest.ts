/** The known word that was probably meant, if one is close enough. */
export function suggest(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const each of known) {
    if (Math.abs(each.length - word.length) >= least) continue
    const distance = editDistance(word.toLowerCase(), each.toLowerCase())
    if (distance < least) {
      best = each
      least = distance
    }
  }
  return best
}

/** Insertions, deletions, replacements and swaps of neighbours between two words. */
export function editDistance(a: string, b: string): number {
  let twoBack: number[] = []
  let oneBack = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = oneBack[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      let least = Math.min(replaced, oneBack[j]! + 1, row[j - 1]! + 1)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, twoBack[j - 2]! + 1)
      row.push(least)
    }
    twoBack = oneBack
    oneBack = row
  }
  return oneBack[b.length]!
}

export function didYouMean(word: string, known: Iterable<string>): string | undefined {
  const close = suggest(word, known)
  return close === undefined ? undefined : `did you mean ${close}?`
}
