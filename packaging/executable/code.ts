/**
 * V8's code of a program's text: `node code.cjs make NAME TEXT CODE` writes it, `check` fails if V8 does not take it.
 * The build runs the first with flags that make it repeatable, the second with those of the executable alone.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { compileText } from './text.ts'

const [task, name = '', text = '', code = ''] = process.argv.slice(2)
const source = readFileSync(text, 'latin1')
if (task === 'make') {
  const { script, load } = compileText(name, source)
  // Functions that loading calls are compiled then, and so become part of the code.
  load()
  writeFileSync(code, script.createCachedData())
} else if (compileText(name, source, readFileSync(code)).script.cachedDataRejected)
  throw new Error(`V8 does not take its own code of ${name}`)
