#!/usr/bin/env node
import { runOperator } from '../controller/main.ts'

process.exitCode = await runOperator(process.argv.slice(2))
