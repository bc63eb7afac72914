/** Numbers in rising order as a cron list: `0-4,10,20-22`. */
export function listOf(values: readonly number[]): string {
  const runs: string[] = []
  for (let i = 0; i < values.length; ) {
    let end = i
    while (values[end + 1] === values[end]! + 1) end++
    if (end - i >= 2) runs.push(`${values[i]}-${values[end]}`)
    else for (let n = i; n <= end; n++) runs.push(String(values[n]))
    i = end + 1
  }
  return runs.join(',')
}

/** The same as a field: `*` for all, `*\/n` or a list otherwise. */
export function fieldOf(values: readonly number[], min: number, max: number): string {
  if (values.length === max - min + 1) return '*'
  const step = values.length > 2 ? values[1]! - values[0]! : 0
  const regular = step > 1 && values[0] === min && values.every((value, i) => value === min + i * step)
  return regular && values.at(-1)! + step > max ? `*/${step}` : listOf(values)
}
