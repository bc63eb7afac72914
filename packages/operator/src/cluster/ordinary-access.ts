import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import { homedir } from 'node:os'
import { delimiter, dirname, resolve } from 'node:path'
import type { AccessCredentials, ClusterAccess, ConfigOptions } from './kubeconfig.ts'

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount'

type Fields = Readonly<Record<string, unknown>>

/** The fields of clusters and users that are understood here. Others are left to the library. */
const CLUSTER_FIELDS = [
  'server',
  'certificate-authority',
  'certificate-authority-data',
  'insecure-skip-tls-verify',
  'tls-server-name',
  'extensions',
]
const USER_FIELDS = [
  'token',
  'tokenFile',
  'client-certificate',
  'client-certificate-data',
  'client-key',
  'client-key-data',
  'username',
  'password',
]

/**
 * The access by a service account, or by a kubeconfig with certificates, a token or a password. Undefined for any other
 * kubeconfig, and for one with a mistake.
 */
export async function ordinaryAccess({
  kubeconfig,
  context,
}: ConfigOptions): Promise<ClusterAccess | undefined> {
  const file = kubeconfig ?? defaultFile()
  if (file !== undefined) return fileAccess(file, context)
  return context === undefined ? podAccess() : undefined
}

function defaultFile(): string | undefined {
  const { KUBECONFIG } = process.env
  if (KUBECONFIG) return KUBECONFIG
  const own = resolve(homedir(), '.kube/config')
  return existsSync(own) ? own : undefined
}

async function fileAccess(path: string, context: string | undefined): Promise<ClusterAccess | undefined> {
  if (path.includes(delimiter)) return undefined
  const config = await parse(path)
  const named = (list: string, name: unknown, kind: string): Fields | undefined =>
    Array.isArray(config?.[list])
      ? fieldsOf(fieldsOf(config[list].find(each => fieldsOf(each)?.['name'] === name))?.[kind])
      : undefined
  const chosen = named('contexts', context ?? config?.['current-context'], 'context')
  const cluster = named('clusters', chosen?.['cluster'], 'cluster')
  const user = named('users', chosen?.['user'], 'user')
  if (!isOrdinary(cluster, CLUSTER_FIELDS) || !isOrdinary(user, USER_FIELDS)) return undefined
  const server = String(cluster['server'])
  if (!server.startsWith('https:')) return undefined
  return {
    server,
    namespace: String(chosen?.['namespace'] ?? 'default'),
    credentials: () => fileCredentials(dirname(path), cluster, user),
  }
}

async function parse(path: string): Promise<Fields | undefined> {
  try {
    const text = readFileSync(path, 'utf8')
    return fieldsOf(text.startsWith('{') ? JSON.parse(text) : (await import('yaml')).parse(text))
  } catch {
    return undefined
  }
}

const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null ? (value as Fields) : undefined

const isOrdinary = (given: Fields | undefined, known: readonly string[]): given is Fields =>
  given !== undefined && Object.keys(given).every(each => known.includes(each))

async function fileCredentials(directory: string, cluster: Fields, user: Fields): Promise<AccessCredentials> {
  const data = async (fields: Fields, name: string): Promise<Buffer | undefined> => {
    const { [name]: file, [`${name}-data`]: inline } = fields
    if (typeof inline === 'string') return Buffer.from(inline, 'base64')
    return typeof file === 'string' ? readFile(resolve(directory, file)) : undefined
  }
  const [ca, cert, key] = await Promise.all([
    data(cluster, 'certificate-authority'),
    data(user, 'client-certificate'),
    data(user, 'client-key'),
  ])
  const { tokenFile, token, username, password } = user
  const bearer = typeof tokenFile === 'string' ? await readToken(resolve(directory, tokenFile)) : token
  const basic = username !== undefined && Buffer.from(`${username}:${password ?? ''}`).toString('base64')
  const authorization = bearer ? `Bearer ${bearer}` : basic ? `Basic ${basic}` : undefined
  return {
    tls: {
      ca,
      cert,
      key,
      servername: cluster['tls-server-name'],
      ...(cluster['insecure-skip-tls-verify'] === true && { rejectUnauthorized: false }),
    },
    headers: authorization === undefined ? {} : { authorization },
  }
}

function podAccess(): ClusterAccess | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env
  const file = (name: string): string => `${SERVICE_ACCOUNT}/${name}`
  if (!host || !port || !existsSync(file('token'))) return undefined
  const namespace = existsSync(file('namespace')) ? readFileSync(file('namespace'), 'utf8') : 'default'
  return {
    server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    namespace,
    credentials: async () => ({
      tls: { ca: await readFile(file('ca.crt')) },
      headers: { authorization: `Bearer ${await readToken(file('token'))}` },
    }),
  }
}

const readToken = async (path: string): Promise<string> => (await readFile(path, 'utf8')).trim()
