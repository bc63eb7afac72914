import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { NotifyTarget } from '@kron/host'
import { type Message, mailText } from './message.ts'

export interface DeliveryOptions {
  /** The program that sends mails, as sendmail(8) does. */
  readonly sendmail: string
  /** The secret that signs webhooks; undefined: they are not signed. */
  readonly secret: string | undefined
  /** A target that takes longer counts as failed. */
  readonly patienceMs: number
}

/** Sends the message; rejects with the reason if the target did not accept it. */
export function deliver(target: NotifyTarget, message: Message, options: DeliveryOptions): Promise<void> {
  const { patienceMs } = options
  switch (target.kind) {
    case 'mail':
      return runProgram(options.sendmail, ['-t', '-oi'], mailText(message, target.address), patienceMs)
    case 'command':
      return runProgram(target.path, [], `${JSON.stringify(message)}\n`, patienceMs)
    case 'webhook': {
      const body = JSON.stringify(message)
      const headers = {
        'content-type': 'application/json',
        'idempotency-key': message.key,
        'user-agent': 'krond',
        ...(options.secret === undefined ? {} : { 'x-kron-signature': signatureOf(body, options.secret) }),
      }
      return post(target.url, body, headers, patienceMs)
    }
  }
}

const signatureOf = (body: string, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** A POST; any answer but 2xx is a failure. Redirects are not followed: they could lead into an internal network. */
export function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  patienceMs: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? httpsRequest : httpRequest
    const outgoing = send(
      url,
      { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) }, agent: false },
      response => {
        response.resume()
        const { statusCode = 0 } = response
        if (statusCode >= 200 && statusCode < 300) resolve()
        else reject(new Error(`it answered with status ${statusCode}`))
        outgoing.destroy()
      },
    )
    // The limit covers the whole exchange: a target that sends a byte a second also counts as hanging.
    const timer = setTimeout(
      () => outgoing.destroy(new Error(`no answer within ${patienceMs / 1_000} s`)),
      patienceMs,
    )
    outgoing.on('error', reject).on('close', () => clearTimeout(timer))
    outgoing.end(body)
  })
}

const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' }

/** A program that gets the text on its standard input; a status other than 0 is a failure. */
function runProgram(
  path: string,
  words: readonly string[],
  input: string,
  patienceMs: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, words, {
      cwd: '/',
      env: ENVIRONMENT,
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    })
    const timer = setTimeout(() => {
      reject(new Error(`${path} took longer than ${patienceMs / 1_000} s`))
      endGroup(child.pid)
    }, patienceMs)
    child.on('error', error => {
      clearTimeout(timer)
      reject(new Error(`${path} cannot be run: ${error.message}`))
    })
    child.on('exit', (code, signal) => {
      clearTimeout(timer)
      if (code === 0) resolve()
      else reject(new Error(`${path} ended with ${signal ?? `status ${code}`}`))
    })
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The process has ended already.
  }
}
