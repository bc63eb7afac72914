import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Much longer than anything takes on a busy machine: only what never comes fails. */
export const PATIENCE_MS = 100_000

export interface PageOptions {
  readonly width?: number
  readonly height?: number
  readonly colorScheme?: 'light' | 'dark'
  /** Brought by a link, as `krontab console` prints it. */
  readonly token?: string
}

/** The system's Chromium with a new profile. Complaints of a page fail the test that asks for them. */
export class Browser {
  readonly complaints: string[] = []
  readonly requested = new Set<string>()
  readonly #profile = mkdtempSync(join(tmpdir(), 'kron-browser-'))
  #context: BrowserContext | undefined

  async open(url: string, options: PageOptions = {}): Promise<Page> {
    const { width = 1280, height = 800, colorScheme = 'light' } = options
    this.#context ??= await chromium.launchPersistentContext(this.#profile, {
      executablePath: process.env['KRON_CHROMIUM'] ?? '/usr/bin/chromium',
      headless: true,
      args: FLAGS,
      timezoneId: 'Europe/Berlin',
    })
    this.#context.setDefaultTimeout(PATIENCE_MS)
    const page = await this.#context.newPage()
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    page.on('pageerror', error => this.complaints.push(`${error.message}\n${error.stack}`))
    page.on('console', message => {
      if (message.type() === 'error' && !/ERR_CONNECTION|ERR_INCOMPLETE|40[139]/.test(message.text()))
        this.complaints.push(message.text())
    })
    page.on('request', request => this.requested.add(new URL(request.url()).origin))
    if (options.token !== undefined) {
      await page.goto(`${new URL('/', url)}#token=${options.token}`)
      await page.waitForFunction(() => !location.hash.includes('token'))
    }
    await page.goto(url)
    return page
  }

  async close(): Promise<void> {
    await this.#context?.close()
    rmSync(this.#profile, { recursive: true, force: true })
  }
}

/** Asserts again and again until it holds: what a page shows comes when it comes. */
export async function eventually(assertion: () => Promise<void>): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; ; ) {
    try {
      return await assertion()
    } catch (error) {
      if (performance.now() > end) throw error
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The serious findings of axe-core, as one line each. */
export async function accessibilityFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    interface Finding {
      readonly id: string
      readonly impact: string
      readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
    }
    const { axe } = window as unknown as { axe: { run: () => Promise<{ violations: readonly Finding[] }> } }
    const { violations } = await axe.run()
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(
        ({ id, nodes }) => `${id}: ${nodes.map(node => `${node.html} ${node.failureSummary}`).join(' | ')}`,
      )
  })
}
