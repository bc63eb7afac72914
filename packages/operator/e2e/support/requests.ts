import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { World } from './world.ts'

export interface AuditedRequest {
  readonly verb: string
  readonly resource: string
  readonly subresource: string
  readonly name: string
  readonly uri: string
  readonly code: number
  /** Epoch milliseconds. */
  readonly at: number
}

/** The operator's requests about a namespace, from the API server's audit log. */
export function operatorRequests(world: World, namespace: string): AuditedRequest[] {
  return readFileSync(join(world.plane.directory, 'audit.log'), 'utf8')
    .split('\n')
    .filter(
      line => line.includes(`"namespace":"${namespace}"`) && line.includes('"userAgent":"kron-operator'),
    )
    .map(line => JSON.parse(line))
    .map(({ verb, objectRef, requestURI, responseStatus, requestReceivedTimestamp }) => ({
      verb,
      resource: objectRef.resource,
      subresource: objectRef.subresource ?? '',
      name: objectRef.name ?? '',
      uri: requestURI,
      code: responseStatus?.code ?? 0,
      at: Date.parse(requestReceivedTimestamp),
    }))
}

/** How often the API server has granted operators the creation of each Job of a namespace. */
export function grantedCreations({ plane }: World, namespace: string): Map<string, number> {
  const granted = new Map<string, number>()
  const file = join(plane.directory, 'audit.log')
  // The audit log of an existing cluster is out of reach.
  for (const line of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
    // A killed API server may cut the last line short.
    if (!line.endsWith('}') || !line.includes('"verb":"create"')) continue
    const { objectRef = {}, requestURI, responseStatus, userAgent = '' } = JSON.parse(line)
    const isJob = objectRef.resource === 'jobs' && objectRef.namespace === namespace
    const isGranted = responseStatus?.code === 201 && !requestURI.includes('dryRun')
    if (!isJob || !isGranted || !userAgent.startsWith('kron-operator')) continue
    granted.set(objectRef.name, (granted.get(objectRef.name) ?? 0) + 1)
  }
  return granted
}

export const isCreation = ({ verb, resource }: AuditedRequest): boolean =>
  verb === 'create' && resource === 'jobs'

export const isStatusWrite = ({ verb, subresource }: AuditedRequest): boolean =>
  verb === 'patch' && subresource === 'status'

/** The number of requests in each minute since the first. Lease renewals are excluded. */
export function perMinute(requests: readonly AuditedRequest[]): number[] {
  const counts: number[] = []
  for (const { at, resource } of requests) {
    if (resource === 'leases') continue
    const minute = Math.floor((at - requests[0]!.at) / 60_000)
    counts[minute] = (counts[minute] ?? 0) + 1
  }
  return Array.from(counts, count => count ?? 0)
}
