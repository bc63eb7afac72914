#!/usr/bin/env node
import { main } from '../main.ts'

const code = await main(process.argv.slice(2))
// The daemon may leave children and sockets behind on purpose; they must not keep the process alive.
process.exit(code)
