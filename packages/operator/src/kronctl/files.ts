import { Complaint, type Terminal } from './terminal.ts'

/** The files that `-f` names. As in kubectl, a directory stands for the manifests in it. */
export function filesOf(names: readonly string[], terminal: Terminal): string[] {
  return names.flatMap(name => {
    const inside = name === '-' ? undefined : terminal.list?.(name)
    if (inside === undefined) return [name]
    const manifests = inside.filter(each => /\.(ya?ml|json)$/.test(each)).sort()
    if (manifests.length === 0) throw new Complaint(`${name} holds no file that ends in .yaml, .yml or .json`)
    return manifests.map(each => `${name.replace(/\/$/, '')}/${each}`)
  })
}
