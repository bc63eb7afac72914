import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { jobFor, kronJob, ONE, observed, TWO, TWO_NAME } from '@kron/testkit/operator/plan/fixtures'
import { reconcile } from '../src/plan/reconcile.ts'
import { create, template, when } from './support/kron-jobs.ts'
import { shareReplica } from './support/shared-replica.ts'
import { judge } from './support/tools.ts'
import type { World } from './support/world.ts'

const HEALTH = join(import.meta.dirname, '../../../packaging/kubernetes/argocd/health.lua')

const GOLDEN = join(import.meta.dirname, '../golden/kubectl')

/** Compares what kubectl prints with the golden file. */
function compare(name: string, printed: string): void {
  const path = join(GOLDEN, name)
  if (process.env['KRON_UPDATE'] !== undefined) writeFileSync(path, printed)
  assert.equal(printed, readFileSync(path, 'utf8'), `${path}: run with KRON_UPDATE=1 to renew it`)
}

/** KronJobs in every state that the operator can leave them in. */
function states(): Readonly<Record<string, object>> {
  const failure = { reason: 'QuotaExceeded', message: 'exceeded quota', certain: true } as const
  const refusal = { reason: 'TemplateRefused', message: 'no containers', certain: true } as const
  const replace = { policy: { concurrency: 'replace' } }
  const replacing = {
    handledThrough: ONE,
    intent: { periodID: TWO, jobName: TWO_NAME, at: TWO, replacing: true },
  }
  const dying = [jobFor(ONE, { deleting: true })]
  const idle = kronJob({}, { handledThrough: ONE })
  const given = {
    ready: observed({ kronJob: idle, at: '2026-03-01T01:30:00Z' }),
    invalid: observed({ kronJob: kronJob({ schedule: '61 * * * *' }), at: ONE }),
    refused: observed({ kronJob: idle, block: { failure: refusal, failures: 1, until: 0 }, at: ONE }),
    blocked: observed({
      kronJob: idle,
      block: { failure, failures: 1, until: 0 },
      at: '2026-03-01T01:30:00Z',
    }),
    suspended: observed({ kronJob: kronJob({ policy: { suspend: true } }), at: ONE }),
    replacing: observed({ kronJob: kronJob(replace, replacing), jobs: dying, at: '2026-03-01T02:00:05Z' }),
    stalled: observed({ kronJob: kronJob(replace, replacing), jobs: dying, at: '2026-03-01T02:04:00Z' }),
  }
  return Object.fromEntries(
    Object.entries(given).map(([name, each]) => [name, { ...each.kronJob, status: reconcile(each).status }]),
  )
}

/** Tests of how kubectl, kstatus (Flux) and Argo CD interpret a KronJob. */
export function conventions(world: () => World): void {
  describe('conventions', { concurrency: true }, () => {
    const { named } = shareReplica(world, 'conventions')

    test('kstatus and Argo CD judge every state', () => {
      const all = { ...states(), unseen: { ...kronJob(), status: {} } }
      const verdicts = judge('kstatus', [], Object.values(all))
      const health = judge('lua', [HEALTH], Object.values(all)).map(line => line.split(':', 1)[0])
      const table = Object.fromEntries(Object.keys(all).map((name, i) => [name, [verdicts[i], health[i]]]))
      assert.deepEqual(table, {
        ready: ['Current', 'Healthy'],
        invalid: ['Failed', 'Degraded'],
        refused: ['Failed', 'Degraded'],
        blocked: ['InProgress', 'Degraded'],
        suspended: ['Current', 'Suspended'],
        replacing: ['InProgress', 'Progressing'],
        stalled: ['Failed', 'Degraded'],
        unseen: ['Current', 'Progressing'],
      })
    })

    test('kubectl waits for it, explains it and lists it', async () => {
      const { kubectl } = world()
      const { namespace, name } = named('nightly')
      await create(world(), named('nightly'), {
        schedule: '0 2 * * *',
        timezone: 'Europe/Paris',
        window: { mode: 'after', duration: '2h' },
        jobTemplate: template(world(), 'succeeds'),
      })
      await kubectl('wait', '-n', namespace, `kronjob/${name}`, '--for=condition=Ready', '--timeout=60s')
      compare('explain.txt', await kubectl('explain', 'kronjob', '--recursive'))
      const image = await kubectl('explain', 'kronjob.spec.jobTemplate.spec.template.spec.containers.image')
      assert.match(image, /Container image name/)
      await when(world(), named('nightly'), 'has a next time', each => each.status?.nextChosenTime)
      const listed = await kubectl('get', 'kj', '-n', namespace, '-o', 'wide')
      const timeless = listed
        .replace(/\d{4}-\d\d-\d\dT[\d:]+Z/g, 'YYYY-MM-DDThh:mm:ssZ')
        .replace(/\d+[ms]\d*s?$/gm, 'AGE')
      compare('wide.txt', timeless)
    })
  })
}
