#!/usr/bin/env node
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { runKronctl } from '../kronctl/main.ts'

process.exitCode = await runKronctl(
  process.argv.slice(2),
  {
    now: Math.floor(Date.now() / 1000),
    out: text => process.stdout.write(text),
    error: text => process.stderr.write(text),
    list: path => (statSync(path, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(path) : undefined),
    read: file => readFileSync(file === '-' ? 0 : file, 'utf8'),
  },
  process.stdout.columns ?? 100,
)
