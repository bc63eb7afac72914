import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Installs the system's Chromium if it is missing. */
export function requireChromium(): void {
  if (existsSync(process.env['KRON_CHROMIUM'] ?? '/usr/bin/chromium')) return
  console.error('kron: installing chromium (once) ...')
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit' })
  execFileSync('apt-get', ['install', '-y', '-qq', 'chromium'], { stdio: 'inherit' })
}
