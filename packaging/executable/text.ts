/** The texts of the programs in the executable, and V8's code of them, with which they need not be compiled. */
import { Script } from 'node:vm'

export interface CompiledText {
  readonly script: Script
  /** Evaluates the text and tells what it exports. */
  readonly load: () => unknown
}

type Wrapper = (exports: unknown, require: (name: string) => unknown, module: { exports: unknown }) => void

/** V8 takes code only for the same text, name and flags. */
export function compileText(name: string, text: string, code?: Buffer): CompiledText {
  const script = new Script(`(function (exports, require, module) {${text}\n})`, {
    filename: `/${name}.cjs`,
    ...(code === undefined ? {} : { cachedData: code }),
  })
  const load = (): unknown => {
    const module = { exports: {} }
    const run = script.runInThisContext() as Wrapper
    run(module.exports, builtin, module)
    return module.exports
  }
  return { script, load }
}

/** A text holds all its modules but Node's own. Libraries try others that they can do without, and expect this error. */
function builtin(name: string): unknown {
  const found = process.getBuiltinModule(name)
  if (found === undefined)
    throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' })
  return found
}
