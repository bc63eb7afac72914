import { kronctlProgram } from '../../../packages/operator/src/kronctl/program.ts'
import type { Program } from './program.ts'

export const programs: Readonly<Record<string, Program>> = { kronctl: kronctlProgram }
