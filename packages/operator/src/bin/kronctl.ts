#!/usr/bin/env node
import { kronctlProgram } from '../kronctl/program.ts'

process.exitCode = await kronctlProgram(process.argv.slice(2))
