import { main } from '../../../packages/krond/src/main.ts'
import { embedFiles } from './files.ts'
import type { Program } from './program.ts'

embedFiles()

export const programs: Readonly<Record<string, Program>> = { krond: main }
