/** Why an answer did not come. */
export class ApiError extends Error {
  /** 0: krond could not be reached. */
  readonly status: number
  readonly hint: string

  constructor(status: number, message: string, hint = '') {
    super(message)
    this.status = status
    this.hint = hint
  }
}

const TOKEN = 'kron-token'

export const token = {
  get: (): string => sessionStorage.getItem(TOKEN) ?? '',
  set: (value: string): void => sessionStorage.setItem(TOKEN, value),
}

export const headers = (): Record<string, string> =>
  token.get() === '' ? {} : { authorization: `Bearer ${token.get()}` }

export type Parameters = Readonly<Record<string, string | number | readonly string[] | undefined>>

export function urlOf(path: string, parameters: Parameters = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue
    for (const each of Array.isArray(value) ? value : [value]) search.append(name, String(each))
  }
  const text = search.toString()
  return `api/v1/${path}${text === '' ? '' : `?${text}`}`
}

export async function get<T>(path: string, parameters: Parameters = {}, signal?: AbortSignal): Promise<T> {
  let response: Response
  try {
    response = await fetch(urlOf(path, parameters), { headers: headers(), signal: signal ?? null })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(0, 'krond cannot be reached', 'is it running, and listening here?')
  }
  if (response.ok) return (await response.json()) as T
  const problem = (await response.json().catch(() => ({}))) as { error?: string; hint?: string }
  throw new ApiError(response.status, problem.error ?? `krond answered ${response.status}`, problem.hint)
}
