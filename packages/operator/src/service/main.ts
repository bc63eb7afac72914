import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { type Given, runProgram } from '@kron/cli'
import { parseDuration } from '@kron/core'
import { loadKubeConfig } from '../cluster/kubeconfig.ts'
import { jsonLog, type Level } from '../report/log.ts'
import { versionOf } from '../version.ts'
import { OPERATOR_COMMAND, type OPERATOR_OPTIONS } from './command.ts'
import { Operator } from './operator.ts'
import { serve } from './server.ts'

type Flags = Given<typeof OPERATOR_OPTIONS>

/** Runs until SIGTERM or SIGINT; returns the exit code. */
export function runOperator(words: readonly string[]): Promise<number> {
  return runProgram(OPERATOR_COMMAND, words, {
    out: text => process.stdout.write(text),
    err: text => process.stderr.write(text),
    width: process.stdout.columns ?? 100,
    version: () => versionOf('kron-operator'),
    mistakeCode: 2,
    run: line => operate(line.options as Flags),
  })
}

async function operate(flags: Flags): Promise<number> {
  const log = jsonLog(text => process.stdout.write(text), (flags['log-level'] as Level | undefined) ?? 'info')
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      log('info', 'stopping', { signal })
      stop.abort()
    })
  }
  try {
    const operator = new Operator({
      access: await loadKubeConfig(flags),
      identity: flags.identity ?? process.env['POD_NAME'] ?? `${hostname()}_${randomUUID()}`,
      namespaces: flags.namespace,
      salt: flags.salt,
      leaseNamespace: flags['lease-namespace'] ?? process.env['POD_NAMESPACE'] ?? 'kron-system',
      leaseName: flags['lease-name'],
      leaseDuration: milliseconds(flags['lease-duration']),
      stallTimeout: milliseconds(flags['watch-timeout']),
      log,
    })
    const server = await serve(operator, Number(flags.port ?? '8080'))
    log('info', 'started', { version: versionOf('kron-operator'), port: flags.port ?? '8080' })
    await operator.run(stop.signal)
    server.close()
    server.closeAllConnections()
    log('info', 'stopped')
    return 0
  } catch (error) {
    log('error', 'failed', { error })
    return 1
  }
}

function milliseconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const read = parseDuration(text)
  if (read.ok) return read.value / 1e6
  throw new Error(read.faults[0]!.message)
}
