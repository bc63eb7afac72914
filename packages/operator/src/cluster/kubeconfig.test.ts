import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { stringify } from 'yaml'
import { loadKubeConfig } from './kubeconfig.ts'
import { libraryAccess } from './library-access.ts'
import { ordinaryAccess } from './ordinary-access.ts'

const directory = mkdtempSync(join(tmpdir(), 'kron-kubeconfig-'))
after(() => rmSync(directory, { recursive: true }))
const file = (name: string, content: string): string => {
  writeFileSync(join(directory, name), content)
  return join(directory, name)
}
const base64 = (text: string): string => Buffer.from(text).toString('base64')

function written(cluster: object, user: object, print: (value: object) => string = stringify): string {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'other', cluster: { server: 'https://other.test' } },
      { name: 'c', cluster: { server: 'https://api.test:6443', ...cluster } },
    ],
    users: [{ name: 'u', user }],
    contexts: [
      { name: 'x', context: { cluster: 'c', user: 'u', namespace: 'shop' } },
      { name: 'y', context: { cluster: 'other', user: 'u' } },
    ],
    'current-context': 'x',
  }
  return file('config', print(config))
}

const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, each) => (each?.type === 'Buffer' ? String(Buffer.from(each)) : each)))
const lowered = (headers: object): object =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

describe('a kubeconfig', () => {
  file('ca.crt', 'CA')
  file('me.crt', 'CERT')
  file('me.key', 'KEY')
  const ordinary: Readonly<Record<string, [cluster: object, user: object]>> = {
    'with a token': [{ 'certificate-authority': 'ca.crt' }, { token: 'secret' }],
    'with certificates in files': [
      { 'certificate-authority': 'ca.crt' },
      { 'client-certificate': 'me.crt', 'client-key': 'me.key' },
    ],
    'with certificates inside': [
      { 'certificate-authority-data': base64('CA') },
      { 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') },
    ],
    'with a password': [
      { 'insecure-skip-tls-verify': true },
      { username: 'me', password: 'secret:with colon' },
    ],
    'with another server name': [{ 'tls-server-name': 'kube' }, { token: 'secret' }],
  }
  for (const [what, [cluster, user]] of Object.entries(ordinary)) {
    test(`${what} is read as Kubernetes' library reads it`, async () => {
      for (const print of [stringify, JSON.stringify]) {
        const kubeconfig = written(cluster, user, print)
        for (const options of [{ kubeconfig }, { kubeconfig, context: 'y' }]) {
          const [own, other] = [await ordinaryAccess(options), libraryAccess(options)]
          assert.deepEqual([own?.server, own?.namespace], [other.server, other.namespace])
          const [mine, theirs] = [await own!.credentials(), await other.credentials()]
          assert.deepEqual(plain(mine.tls), plain(theirs.tls))
          assert.deepEqual(lowered(mine.headers), lowered(theirs.headers))
        }
      }
    })
  }

  test('with a token in a file follows the file', async () => {
    const token = file('token', 'first\n')
    const access = await loadKubeConfig({ kubeconfig: written({}, { tokenFile: 'token' }) })
    assert.equal((await access.credentials()).headers['authorization'], 'Bearer first')
    writeFileSync(token, 'second\n')
    assert.equal((await access.credentials()).headers['authorization'], 'Bearer second')
  })

  test('with a plugin, an identity provider, a proxy or a mistake is left to the library', async () => {
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'login', interactiveMode: 'Never' }
    const unusual: [object, object][] = [
      [{}, { exec }],
      [{}, { 'auth-provider': { name: 'oidc' } }],
      [{}, { token: 'secret', as: 'somebody' }],
      [{ 'proxy-url': 'http://proxy.test' }, { token: 'secret' }],
      [{ server: 'http://plain.test' }, {}],
    ]
    for (const [cluster, user] of unusual) {
      assert.equal(await ordinaryAccess({ kubeconfig: written(cluster, user) }), undefined)
    }
    assert.equal(await ordinaryAccess({ kubeconfig: file('bad', '{') }), undefined)
    await assert.rejects(loadKubeConfig({ kubeconfig: written({}, {}), context: 'none' }), /no cluster/)
  })
})
