#!/usr/bin/env node
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { visibleScreen } from '@kron/cli'
import { runKronctl } from '../kronctl/main.ts'

process.exitCode = await runKronctl(
  process.argv.slice(2),
  {
    now: Math.floor(Date.now() / 1000),
    out: text => process.stdout.write(text),
    data: text => process.stdout.write(process.stdout.isTTY ? visibleScreen(text) : text),
    error: text => process.stderr.write(text),
    list: path => (statSync(path, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(path) : undefined),
    read: file => readFileSync(file === '-' ? 0 : file, 'utf8'),
  },
  process.stdout.columns ?? 100,
)
