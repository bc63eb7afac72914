import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createConnection, type Socket } from 'node:net'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { eventually } from './browser.test-support.ts'
import { startShow } from './show.test-support.ts'

const JOBS = 10_000
const lines = Array.from({ length: JOBS }, (_, i) => {
  const cron = i < 200 ? '* * * * *' : `${i % 60} ${i % 24} * * *`
  return `${cron} @win(after,55s) @policy(deadline=30s) name=job-${String(i).padStart(5, '0')} command=/bin/true`
})
const { krond, browser } = startShow(lines)

test('of 10,000 jobs only what is on the screen is in the page, wherever one scrolls', async () => {
  const page = await browser.open(`${krond.url}#/timeline`)
  await page.getByText('10,000 jobs').waitFor()
  for (const share of [0.5, 1, 0]) {
    await page.locator('.rows').evaluate((rows, at) => {
      rows.scrollTop = rows.scrollHeight * at
    }, share)
    const name = `job-${String(Math.min(JOBS - 1, Math.floor(share * JOBS))).padStart(5, '0')}`
    await page.getByText(name, { exact: true }).waitFor()
    const rows = await page.locator('.names li').count()
    assert.ok(rows < 60, `${rows} rows are in the page`)
  }
  await page.getByLabel('Search jobs').fill('job-0777')
  await page.getByText('10 jobs').waitFor()
  await page.close()
})

test('overview and jobs stay short and answer with 10,000 jobs', async () => {
  const page = await browser.open(krond.url)
  await page.getByLabel('Next hour').locator('li').first().waitFor()
  assert.ok((await page.getByLabel('Next hour').locator('li').count()) <= 25)
  await page.goto(`${krond.url}#/jobs?sort=next`)
  await page.getByText('Show 200 more of 10,000').waitFor()
  assert.equal(await page.locator('.job-table tbody tr').count(), 200)
  await page.close()
})
/** Every user has an allowance of their own, so the flood costs only the user who makes it. */
async function healthForAnotherUser(): Promise<string> {
  const program = `fetch('${krond.url}healthz').then(answer => answer.text()).then(text => process.stdout.write(text))`
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], nobody)
  return stdout
}

test('with as many idle clients as can be had, the schedule is kept and health is told', async () => {
  const sockets: Socket[] = []
  let refused = 0
  const flood = setInterval(() => {
    for (let i = 0; i < 200; i++) {
      const socket = createConnection(Number(new URL(krond.url).port), '127.0.0.1')
      socket.on('error', () => {})
      socket.on('close', () => refused++)
      socket.write('GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n')
      sockets.push(socket)
    }
  }, 100)
  const begun = Math.floor(Date.now() / 1_000)
  try {
    await eventually(async () => assert.ok(sockets.length >= 10_000))
    clearInterval(flood)
    await eventually(async () => assert.ok(refused > 9_000, `only ${refused} were refused`))
    await eventually(async () => assert.equal(await healthForAnotherUser(), 'ok\n'))
  } finally {
    clearInterval(flood)
    for (const socket of sockets) socket.destroy()
  }
  interface Outcomes {
    readonly outcomes: readonly { readonly outcome: string; readonly completedAt: string }[]
  }
  const during = async (outcome: string): Promise<number> => {
    const { outcomes } = await krond.get<Outcomes>(`history?limit=2000&outcome=${outcome}`)
    return outcomes.filter(each => Date.parse(each.completedAt) / 1_000 >= begun).length
  }
  await eventually(async () => assert.ok((await during('succeeded')) >= 10))
  assert.equal(await during('missed'), 0)
})
