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

/** A text holds all its modules; only Node's own are left to be asked for. */
const builtin = (name: string): unknown => process.getBuiltinModule(name)
