import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { JOB_TEMPLATE_FILE, jobTemplateFile } from './support/job-template-file.ts'
import type { World } from './support/world.ts'

/** Tests that the CRD has the same Job template as the API server it was generated from. */
export function jobTemplate(world: () => World): void {
  test("the CRD's Job template is the API server's own", async context => {
    if (!world().own) return context.skip('an existing cluster may have another version of Kubernetes')
    const file = jobTemplateFile(await world().api.get('/openapi/v3/apis/batch/v1'))
    if (process.env['KRON_UPDATE'] !== undefined) writeFileSync(JOB_TEMPLATE_FILE, file)
    assert.equal(readFileSync(JOB_TEMPLATE_FILE, 'utf8') === file, true, 'run with KRON_UPDATE=1 to renew it')
  })
}
