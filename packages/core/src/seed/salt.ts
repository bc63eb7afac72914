import { type Fault, faulty, type Parsed, parsed, quote } from '../error/fault.ts'

/** The host for which a salt is expanded. */
export interface SaltPlace {
  /** `%H` */
  readonly host: string
  /** `%m`: a hash of the machine id, which is itself confidential; undefined where it is not known. */
  readonly machine: string | undefined
}

const SPECIFIER = /%([\s\S]?)/g
const HINT = 'specifiers are %H (host name) and %m (hash of the machine id); write %% for a percent sign'

/** Whether a salt differs from host to host. */
export const differsByHost = (salt: string): boolean => /%[Hm]/.test(salt.replaceAll('%%', ''))

/** The first specifier that does not exist; undefined if all of them do. `at` counts from the salt's start. */
export function saltFault(salt: string): Fault | undefined {
  for (const { 0: text, 1: letter, index } of salt.matchAll(SPECIFIER)) {
    if (letter === 'H' || letter === 'm' || letter === '%') continue
    const message = `unknown specifier ${quote(text)} in the salt ${quote(salt)}`
    return { category: 'ConfigurationError', message, hint: HINT, at: index, length: text.length }
  }
  return undefined
}

/** The salt that goes into the seed: each specifier replaced. Pure: the same place gives the same salt. */
export function expandSalt(salt: string, place: SaltPlace): Parsed<string> {
  if (!salt.includes('%')) return parsed(salt)
  const fault = saltFault(salt)
  if (fault !== undefined) return faulty([fault])
  if (place.machine === undefined && /%m/.test(salt.replaceAll('%%', ''))) {
    const message = `the salt ${quote(salt)} needs the machine id of ${place.host}, which is not known`
    const hint = 'use %H, or give this machine an id: systemd-machine-id-setup'
    return faulty([{ category: 'ConfigurationError', message, hint, at: 0, length: salt.length }])
  }
  return parsed(
    salt.replace(SPECIFIER, (_, letter: string) =>
      letter === 'H' ? place.host : letter === 'm' ? place.machine! : '%',
    ),
  )
}
