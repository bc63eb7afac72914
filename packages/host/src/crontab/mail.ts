import type { KeptOutput } from '../launch/kept-output.ts'
import type { CrontabEntry } from './entry.ts'

/** A mail for sendmail(8): its recipients, and header and body as bytes. */
export interface Mail {
  readonly to: readonly string[]
  readonly message: Buffer
}

/** Recipients become arguments of sendmail: text that could be an option or another path is refused, as in cron. */
const SAFE_RECIPIENT = /^[A-Za-z0-9_][A-Za-z0-9_@!:%.+-]*$/

/** The mail that cron sends about a run; undefined if the run printed nothing or wants no mail. */
export function mailOfRun(entry: CrontabEntry, output: KeptOutput, hostname: string): Mail | undefined {
  const { mail, user, variables } = entry.crontab
  if (mail === null || output.totalBytes === 0) return undefined
  const header = headerOf(mail.to, `Cron <${user}@${hostname}> ${entry.command}`, {
    from: mail.from,
    contentType: mail.contentType,
    transferEncoding: mail.transferEncoding,
  })
  for (const [name, value] of Object.entries(variables)) header.push(`X-Cron-Env: <${name}=${value}>`)
  return mailOf(mail.to, header, bodyOf(output))
}

/** Tells the owner of a crontab that it is ignored, and why. */
export const mailOfMistakes = (
  to: string,
  path: string,
  mistakes: readonly string[],
  hostname: string,
): Mail =>
  mailOf(to, headerOf(to, `Cron <${to}@${hostname}> ${path} is ignored`, {}), [
    Buffer.from(`${path} has mistakes, and none of its lines run:\n\n${mistakes.join('\n')}\n`),
  ])

interface MailStyle {
  readonly from?: string | undefined
  readonly contentType?: string | undefined
  readonly transferEncoding?: string | undefined
}

const headerOf = (
  to: string,
  subject: string,
  { from, contentType, transferEncoding }: MailStyle,
): string[] => [
  `From: ${from ?? 'root'} (Cron Daemon)`,
  `To: ${to}`,
  `Subject: ${subject.replace(/[\r\n]+/g, ' ')}`,
  'MIME-Version: 1.0',
  `Content-Type: ${contentType ?? 'text/plain; charset=UTF-8'}`,
  `Content-Transfer-Encoding: ${transferEncoding ?? '8bit'}`,
]

const mailOf = (to: string, header: readonly string[], body: readonly Buffer[]): Mail => ({
  to: to
    .split(/[\s,]+/)
    .filter(Boolean)
    .filter(each => SAFE_RECIPIENT.test(each)),
  message: Buffer.concat([Buffer.from(`${header.join('\n')}\n\n`), ...body]),
})

const bodyOf = ({ pieces }: KeptOutput): Buffer[] =>
  pieces.map(piece =>
    piece.kind === 'gap' ? Buffer.from(`\n[${piece.bytes} bytes were not kept]\n`) : piece.data,
  )
