import { processContext } from '../../../packages/krontab/src/context/command-context.ts'
import { crontabProgram } from '../../../packages/krontab/src/crontab/program.ts'
import { main } from '../../../packages/krontab/src/main.ts'
import { embedFiles } from './files.ts'
import type { Program } from './program.ts'

embedFiles()

export const programs: Readonly<Record<string, Program>> = {
  krontab: words => main(words, processContext()),
  crontab: crontabProgram,
}
