import { useEffect, useState } from 'preact/hooks'

export const VIEWS = ['overview', 'timeline', 'jobs', 'load', 'playground', 'job'] as const
export type View = (typeof VIEWS)[number]

export type ViewParameters = Readonly<Record<string, string>>

/** Where the reader is: a view and its filters, all of it in the address bar. */
export interface Route {
  readonly view: View
  readonly parameters: ViewParameters
}

export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split('?')
  const view = VIEWS.find(each => each === path) ?? 'overview'
  return { view, parameters: Object.fromEntries(new URLSearchParams(search)) }
}

export function printRoute(
  view: View,
  parameters: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(given as [string, string][]).toString()
  return `#/${view}${search === '' ? '' : `?${search}`}`
}

export const jobRoute = (
  identity: string,
  more: { readonly run?: string; readonly why?: string } = {},
): string => printRoute('job', { id: identity, ...more })

/** Changes filters of the current view; `replace` leaves no step to go back to. */
export function amend(changes: Readonly<Record<string, string | undefined>>, replace = true): void {
  const { view, parameters } = parseRoute(location.hash)
  const hash = printRoute(view, { ...parameters, ...changes })
  if (hash === location.hash) return
  if (replace) {
    history.replaceState(null, '', hash)
    dispatchEvent(new HashChangeEvent('hashchange'))
  } else location.hash = hash
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash))
  useEffect(() => {
    const follow = (): void => setRoute(parseRoute(location.hash))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return route
}
