import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  type ControlPlane,
  type ControlPlaneOptions,
  startControlPlane,
} from '../../../../verify/cluster/control-plane.ts'
import { until } from '../../../../verify/cluster/until.ts'
import { Api } from '../../src/cluster/api.ts'
import { isConflict } from '../../src/cluster/api-error.ts'
import { loadKubeConfig } from '../../src/cluster/kubeconfig.ts'
import { crd } from '../../src/install/manifests.ts'
import { existingCluster } from './existing-cluster.ts'

/** The cluster under test, with functions to access it. */
export interface World {
  readonly api: Api
  readonly plane: ControlPlane
  /** Whether the tests own the control plane and may break it. Its pods are then simulated by kwok. */
  readonly own: boolean
  kubectl(...args: string[]): Promise<string>
  namespace(name: string): Promise<string>
}

const run = promisify(execFile)

export async function createWorld(options: ControlPlaneOptions = {}): Promise<World> {
  const say = (line: string): void => console.error(`# ${line}`)
  const kubeconfig = process.env['KUBECONFIG_UNDER_TEST']
  const plane = kubeconfig === undefined ? await startControlPlane(say, options) : existingCluster(kubeconfig)
  const api = new Api(await loadKubeConfig({ kubeconfig: plane.kubeconfig }), {
    userAgent: 'kron-e2e',
    timeout: 60_000,
  })
  const kubectl = async (...args: string[]): Promise<string> => {
    const { stdout } = await run(plane.binaries.kubectl, [`--kubeconfig=${plane.kubeconfig}`, ...args])
    return stdout
  }
  const file = join(plane.directory, 'crd.json')
  writeFileSync(file, JSON.stringify(crd()))
  await kubectl('apply', '--server-side', '-f', file)
  await until('the CRD is established', async () => {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/kronjobs.kron.io'
    const { status } = await api.get<{ status: { conditions?: { type: string; status: string }[] } }>(path)
    return status.conditions?.some(each => each.type === 'Established' && each.status === 'True')
  })
  const namespace = async (name: string): Promise<string> => {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    await api.call('POST', '/api/v1/namespaces', { body }).catch(error => {
      if (!isConflict(error)) throw error
    })
    return name
  }
  return { api, plane, own: kubeconfig === undefined, kubectl, namespace }
}
