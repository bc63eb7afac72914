import { processHost } from '../host.ts'
import { main } from '../main.ts'

main(process.argv.slice(2), processHost()).then(code => {
  process.exitCode = code
})
