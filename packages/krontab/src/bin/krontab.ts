import { processContext } from '../context/command-context.ts'
import { main } from '../main.ts'

main(process.argv.slice(2), processContext()).then(code => {
  process.exitCode = code
})
