import { token } from './token.ts'

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

/** The path of a job, and of something that belongs to it. */
export const jobPath = (identity: string, rest = ''): string => `jobs/${encodeURIComponent(identity)}${rest}`

export const get = <T>(path: string, parameters: Parameters = {}, signal?: AbortSignal): Promise<T> =>
  ask<T>(urlOf(path, parameters), { headers: headers(), signal: signal ?? null })

/** Asks krond to do something. The extra header keeps other sites' forms from doing it. */
export const post = <T>(path: string, body: object = {}): Promise<T> =>
  ask<T>(urlOf(path), {
    method: 'POST',
    headers: { ...headers(), 'content-type': 'application/json', 'x-kron-request': '1' },
    body: JSON.stringify(body),
  })

async function ask<T>(url: string, options: RequestInit): Promise<T> {
  const response = await reach(url, options)
  if (response.ok) return (await response.json()) as T
  throw await refusal(response)
}

/** The response, whatever it says. */
export async function reach(url: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(url, options)
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new ApiError(0, 'krond cannot be reached', 'is it running, and listening here?')
  }
}

export async function refusal(response: Response): Promise<ApiError> {
  const problem = (await response.json().catch(() => ({}))) as { error?: string; hint?: string }
  return new ApiError(response.status, problem.error ?? `krond answered ${response.status}`, problem.hint)
}
