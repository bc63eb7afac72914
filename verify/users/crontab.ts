/** `crontab` from the sources, as the executable runs it. */
import { crontabProgram } from '../../packages/krontab/src/crontab/program.ts'
import { processHost } from '../../packages/krontab/src/host.ts'

process.exitCode = await crontabProgram(process.argv.slice(2), processHost())
