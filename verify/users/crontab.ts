/** `crontab` from the sources, as the executable runs it. */

import { crontabProgram } from '../../packages/krontab/src/crontab/program.ts'

process.exitCode = await crontabProgram(process.argv.slice(2))
