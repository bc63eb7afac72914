import { join } from 'node:path'
import { jobTemplateSchema } from './structural-schema.ts'

/** The file that holds the JobTemplateSpec of the CRD. */
export const JOB_TEMPLATE_FILE = join(import.meta.dirname, '../../src/manifest/job-template.ts')

/** The content of that file for an API server's OpenAPI document of batch/v1. */
export const jobTemplateFile = (openapi: Parameters<typeof jobTemplateSchema>[0]): string =>
  `import type { Schema } from './schema.ts'

// Made by e2e/job-template.cluster.ts from a real API server's OpenAPI document: KRON_UPDATE=1 npm run verify -- cluster.
/** The batch/v1 JobTemplateSpec as a structural schema. */
export const JOB_TEMPLATE: Schema = JSON.parse(
  // biome-ignore format: one line of data
  ${literal(JSON.stringify(jobTemplateSchema(openapi)))},
)
`

const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
