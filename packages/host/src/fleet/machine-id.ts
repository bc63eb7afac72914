import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'

/**
 * Kron's own application id. `systemd-id128 machine-id --app-specific=8d8d1f1c5a6f4f0e9b7a2a6c1e0b4d57` prints the
 * same hash.
 */
const KRON_ID = Buffer.from('8d8d1f1c5a6f4f0e9b7a2a6c1e0b4d57', 'hex')

const FILES = ['/etc/machine-id', '/var/lib/dbus/machine-id']

export const isMachineId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)

/**
 * The application-specific hash of a machine id: the id itself is confidential and cannot be derived from the hash.
 * As machine-id(5) advises: HMAC-SHA256 keyed by the id, cut to 128 bits, marked as a UUID of version 4.
 */
export function machineHash(id: string): string {
  const bytes = createHmac('sha256', Buffer.from(id, 'hex')).update(KRON_ID).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex')
}

/** The hash of this machine's id; undefined if it has none. */
export function ownMachineHash(): string | undefined {
  for (const file of FILES) {
    try {
      const id = readFileSync(file, 'latin1').trim()
      if (isMachineId(id)) return machineHash(id)
    } catch {
      // The next file may exist.
    }
  }
  return undefined
}
