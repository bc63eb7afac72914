#!/usr/bin/env node
import { runOperator } from '../service/main.ts'

process.exitCode = await runOperator(process.argv.slice(2))
