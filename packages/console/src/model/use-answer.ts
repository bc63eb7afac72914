import { useEffect, useState } from 'preact/hooks'
import { type ApiError, get, type Parameters } from '../api/client.ts'

export interface Answer<T> {
  readonly value: T | undefined
  readonly problem: ApiError | undefined
}

/** An answer of the API, asked for again whenever `version` changes; the old one stays until the new one is there. */
export function useAnswer<T>(path: string | undefined, parameters: Parameters, version: number): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T> & { readonly key: string }>({
    key: '',
    value: undefined,
    problem: undefined,
  })
  const key = `${path} ${JSON.stringify(parameters)}`
  useEffect(() => {
    if (path === undefined) return
    const abort = new AbortController()
    get<T>(path, parameters, abort.signal).then(
      value => setAnswer({ key, value, problem: undefined }),
      (problem: ApiError) => {
        if (!abort.signal.aborted)
          setAnswer(old => ({ key, value: old.key === key ? old.value : undefined, problem }))
      },
    )
    return () => abort.abort()
  }, [key, version])
  return answer.key === key ? answer : { value: undefined, problem: undefined }
}
