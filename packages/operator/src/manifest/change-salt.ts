import { isMap, isScalar, isSeq, parseAllDocuments, type YAMLMap } from 'yaml'

/** A part of a text and its replacement. */
interface Splice {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Changes the salts of some KronJobs, given by namespace/name. The rest of the text stays unchanged byte for byte. */
export function changeManifestSalts(
  text: string,
  salts: ReadonlyMap<string, string>,
  namespace: string,
): string {
  const splices: Splice[] = []
  const documents = parseAllDocuments(text)
  for (const { contents } of Array.isArray(documents) ? documents : []) {
    for (const object of objectsIn(contents)) {
      const metadata = object.get('metadata')
      if (object.get('kind') !== 'KronJob' || !isMap(metadata)) continue
      const salt = salts.get(`${metadata.get('namespace') ?? namespace}/${metadata.get('name')}`)
      const spec = object.get('spec')
      if (salt !== undefined && isMap(spec)) splices.push(saltSplice(text, spec, JSON.stringify(salt)))
    }
  }
  return splices
    .sort((a, b) => b.from - a.from)
    .reduce((done, { from, to, text: put }) => done.slice(0, from) + put + done.slice(to), text)
}

/** The objects of a document: its `items`, or the document itself. */
function objectsIn(contents: unknown): YAMLMap[] {
  if (!isMap(contents)) return []
  const items = contents.get('items')
  return isSeq(items) ? items.items.filter(isMap) : [contents]
}

function saltSplice(text: string, spec: YAMLMap, salt: string): Splice {
  const seed = spec.get('seed', true)
  if (!isMap(seed))
    return added(text, spec, isFlow(spec) ? `seed: {salt: ${salt}}` : `seed: { salt: ${salt} }`)
  const present = seed.get('salt', true)
  if (!isScalar(present) || !present.range) return added(text, seed, `salt: ${salt}`)
  const [from, to] = present.range
  // An empty value has an empty range right after the colon, so it needs a space.
  return { from, to, text: from === to ? ` ${salt}` : salt }
}

const isFlow = (map: YAMLMap): boolean => map.flow === true

/** Inserts an entry before the first entry of a map. */
function added(text: string, map: YAMLMap, entry: string): Splice {
  const [start] = map.range!
  if (isFlow(map)) {
    const at = text.indexOf('{', start) + 1
    return {
      from: at,
      to: at,
      text: quotedKeys(text, at)
        ? `${jsonEntry(entry)}${map.items.length > 0 ? ',' : ''}`
        : `${entry}${map.items.length > 0 ? ', ' : ''}`,
    }
  }
  const line = text.lastIndexOf('\n', start - 1) + 1
  return { from: start, to: start, text: `${entry}\n${' '.repeat(start - line)}` }
}

/** Whether the keys are in quotes, as JSON requires. */
const quotedKeys = (text: string, at: number): boolean => /^\s*"/.test(text.slice(at, at + 200))
const jsonEntry = (entry: string): string => entry.replace(/\b(seed|salt):/g, '"$1":')
