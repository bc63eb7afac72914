import { crontabProgram } from '../crontab/program.ts'
import { processHost } from '../host.ts'

crontabProgram(process.argv.slice(2), processHost()).then(code => {
  process.exitCode = code
})
