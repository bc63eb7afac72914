// The operator with a wall clock that is wrong by KRON_TEST_SKEW milliseconds.

import { parseArgs } from 'node:util'
import { systemClock } from '@kron/runtime'
import { loadKubeConfig } from '../../src/cluster/kubeconfig.ts'
import { jsonLog } from '../../src/report/log.ts'
import { Operator } from '../../src/service/operator.ts'

const skew = Number(process.env['KRON_TEST_SKEW'])
const { values } = parseArgs({ strict: false })
const stop = new AbortController()
process.once('SIGTERM', () => stop.abort())
await new Operator({
  access: await loadKubeConfig({ kubeconfig: String(values['kubeconfig']) }),
  identity: String(values['identity']),
  namespaces: [String(values['namespace'])],
  leaseNamespace: String(values['lease-namespace']),
  leaseName: String(values['lease-name']),
  leaseDuration: 3_000,
  log: jsonLog(text => process.stdout.write(text)),
  clock: { ...systemClock, now: () => Date.now() + skew },
}).run(stop.signal)
