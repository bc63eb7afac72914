import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Figures, Subject } from './subject.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const SUITES = 'kills|broken network|rivals|killed'

/** The output of the suites, in TAP. */
export function figuresOf(output: string): Figures {
  const count = (pattern: RegExp): number => Number(pattern.exec(output)?.[1] ?? 0)
  return {
    kills: count(/^\s*ok \d+ - killed at (\d+) random moments/m),
    tests: count(/^# pass (\d+)/m),
    violations: count(/^# fail (\d+)/m),
  }
}

/** Replicas killed, cut off and in each other's way, against a real API server: the operator's own suites of these. */
export const operator: Subject = {
  name: 'operator',
  key: 'operator',
  parts: [],
  byDefault: false,
  obstacle: () => undefined,
  run: setting =>
    new Promise(resolve => {
      const words = ['verify/cluster/run.ts', '--test-reporter=tap', `--test-name-pattern=${SUITES}`]
      const suite = spawn(process.execPath, ['--conditions=kron-source', ...words], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let output = ''
      suite.stdout.on('data', data => {
        output += data
      })
      suite.on('close', code => {
        const skipped = /^cluster tests .*$/m.exec(output)?.[0]
        if (skipped === undefined) setting.onPart(figuresOf(output))
        else console.log(`torture: ${skipped}`)
        resolve(code === 0 ? [] : [{ what: `the operator's suites failed:\n${output.slice(-4_000)}` }])
      })
    }),
}
