/** The documentation site as its readers have it: links, search and playground, in the system's Chromium. */
import assert from 'node:assert/strict'
import { globSync, readFileSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { accessibilityFindings, Browser } from './browser.test-support.ts'

const site = process.env['KRON_SITE']!
const pages = globSync('**/*.html', { cwd: site }).sort()
const htmlOf = (page: string): string => readFileSync(join(site, page), 'utf8')
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
  png: 'image/png',
  json: 'application/json',
  woff2: 'font/woff2',
}

let server: Server
const browser = new Browser()

before(async () => {
  server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url!, 'http://site').pathname)
    const file = join(site, path.endsWith('/') ? `${path}index.html` : path)
    const found = [file, `${file}.html`].find(each => statSync(each, { throwIfNoEntry: false })?.isFile())
    if (found === undefined) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': TYPES[found.split('.').at(-1)!] ?? 'application/octet-stream' })
    response.end(readFileSync(found))
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
})

after(async () => {
  await browser.close()
  server.close()
})

const addressOf = (path: string): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`

test('every link and anchor of every page leads somewhere', () => {
  const ids = new Map<string, Set<string>>()
  const idsOf = (page: string): Set<string> => {
    const known =
      ids.get(page) ??
      new Set([...htmlOf(page).matchAll(/\sid="([^"]+)"/g)].map(match => unescaped(match[1]!)))
    ids.set(page, known)
    return known
  }
  const dead: string[] = []
  let checked = 0
  for (const page of pages)
    for (const [, href = ''] of htmlOf(page).matchAll(/<a [^>]*?href="([^"]*)"/g)) {
      if (/^[a-z]+:/.test(href)) continue
      const [path = '', anchor] = unescaped(href).split('#')
      const target = targetOf(page, path)
      checked++
      if (target === undefined) dead.push(`${page}: ${href}`)
      else if (
        anchor !== undefined &&
        anchor !== '' &&
        target.endsWith('.html') &&
        !idsOf(target).has(decodeURIComponent(anchor))
      )
        dead.push(`${page}: ${href} has no such heading`)
    }
  assert.ok(pages.length > 60 && checked > 5_000, `${checked} links of ${pages.length} pages`)
  assert.deepEqual(dead, [])
})

const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

function targetOf(page: string, path: string): string | undefined {
  if (path === '') return page
  const file = path.startsWith('/') ? path.slice(1) : join(dirname(page), path)
  const candidates = [file, `${file}.html`, join(file, 'index.html')]
  return candidates.find(each => statSync(join(site, each), { throwIfNoEntry: false })?.isFile())
}

for (const [words, expected] of [
  ['run a job now', /run a job now/i],
  ['time zone', /zone/i],
  ['job did not run', /did not run/i],
] as const)
  test(`the search finds "${words}"`, async () => {
    const page = await browser.open(addressOf(''))
    await page
      .getByRole('button', { name: /search/i })
      .first()
      .click()
    await page.locator('input[type=search]').fill(words)
    const first = page.locator('.results .result').first()
    await first.waitFor()
    assert.match((await first.innerText()).replaceAll('\n', ' '), expected)
    await first.click()
    await page.waitForURL(/\.html|guides|faq|troubleshooting|reference/)
    await page.close()
  })

test('the playground explains a schedule and a mistake without a daemon', async () => {
  const page = await browser.open(addressOf('playground/index.html'))
  await page.getByText('✓ a valid schedule').waitFor()
  const schedule = page.getByLabel('Schedule')
  await schedule.fill('0 2 * * * @win(after,1h) @dist(gaussian)')
  await page.getByText('unknown distribution "gaussian"').waitFor()
  await page.getByText('hint: write normal').waitFor()
  await schedule.fill('0 2 * * * @win(after,1h) @dist(normal)')
  await page.getByRole('heading', { name: 'Next 20 runs in UTC' }).waitFor()
  // Only this site was asked, and it has no API.
  assert.deepEqual([...browser.requested], [new URL(addressOf('')).origin])
  assert.deepEqual(browser.complaints, [])
  await page.close()
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`axe-core finds nothing serious, ${colorScheme}`, async () => {
    for (const path of [
      '',
      'concepts.html',
      'reference/job-file.html',
      'reference/api/core.html',
      'spec/SPEC.html',
      'playground/index.html',
    ]) {
      const page = await browser.open(addressOf(path), { colorScheme })
      await page.locator('h1').first().waitFor({ state: 'attached' })
      assert.deepEqual(await accessibilityFindings(page), [], path)
      await page.close()
    }
  })
