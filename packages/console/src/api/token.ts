const KEY = 'kron-token'
const LINK = /^#token=([^&]+)$/

/** The token of this tab: it came with a link, and is forgotten when the tab is closed. */
export const token = {
  get: (): string => sessionStorage.getItem(KEY) ?? '',
  set: (value: string): void => sessionStorage.setItem(KEY, value),
}

/** Takes the token out of a link `…/#token=SECRET`, and out of the address bar and its history; false if there is none. */
export function takeToken(): boolean {
  const match = LINK.exec(location.hash)
  if (match === null) return false
  token.set(decodeURIComponent(match[1]!))
  history.replaceState(null, '', `${location.pathname}#/`)
  return true
}
