#!/usr/bin/env node
import { main } from '../main.ts'

const code = await main(process.argv.slice(2))
// A pipe takes 64 KiB at once; an exit would cut off the rest.
for (const stream of [process.stdout, process.stderr])
  if (stream.writableLength > 0) await new Promise(resolve => stream.write('', resolve))
// The daemon may leave children and sockets behind on purpose; they must not keep the process alive.
process.exit(code)
