#!/usr/bin/env node
import { main } from '../main.ts'

// The daemon may leave children and sockets behind on purpose: nothing of them may keep the process alive.
process.exit(await main(process.argv.slice(2)))
