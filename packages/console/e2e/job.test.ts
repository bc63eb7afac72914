import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { eventually } from './browser.test-support.ts'
import { startShow } from './show.test-support.ts'

const { krond, browser, open, openWithToken, jobHash } = startShow()

const root = fileURLToPath(new URL('../../..', import.meta.url))

test('a decision is explained as krontab explains it, and recomputed in the browser', async () => {
  const period = '2026-11-16T01:00:00Z'
  const explained = execFileSync(
    process.execPath,
    [
      '--conditions=kron-source',
      `${root}packages/krontab/src/bin/krontab.ts`,
      ...['explain', 'backup', '--file', krond.jobFile, '--period', period, '--format', 'json'],
    ],
    { encoding: 'utf8' },
  )
  const told = JSON.parse(explained) as { attempts: unknown[]; seedHash: string }
  const answer = await krond.get(
    `decisions?job=${encodeURIComponent(`${krond.jobFile}:backup`)}&period=${period}`,
  )
  assert.deepEqual(answer, told)
  const page = await open(jobHash('backup', { why: period }))
  await page.getByText('recomputed in this browser: identical').waitFor()
  await eventually(async () => {
    assert.equal(await page.locator('.attempts tbody tr').count(), told.attempts.length)
    assert.equal((await page.locator('.hash').innerText()).trim(), told.seedHash)
  })
  await page.close()
})

test('a job page tells what comes, what was and what it is, but no secrets', async () => {
  const page = await open(jobHash('impossible'))
  await page.getByText('no second of its window satisfies the constraints').first().waitFor()
  await page.goto(`${krond.url}${jobHash('backup')}`)
  await page.getByText('Saves everything').waitFor()
  await eventually(async () => assert.equal(await page.locator('.next li').count(), 8))
  assert.ok(!(await page.locator('body').innerText()).includes('hush'))
  await page.close()
})

test('the explanation is one click away, from a run to come and from one that was', async () => {
  const page = await open(jobHash('backup'))
  await page.locator('.next li a').nth(3).click()
  await page.waitForURL(/why=/)
  await page.getByText('recomputed in this browser: identical').waitFor()
  await page.getByRole('button', { name: /Close the explanation/ }).click()
  await page.getByText('recomputed in this browser').waitFor({ state: 'detached' })
  await page.goto(`${krond.url}${jobHash('talker')}`)
  await page.getByLabel('History').getByRole('link', { name: 'why then?' }).first().click()
  await page.getByText('recomputed in this browser: identical').waitFor()
  await page.close()
})

test("times are shown in the job's zone first, then in the reader's, each with its name", async () => {
  const page = await open(jobHash('tokyo'))
  const first = page.locator('.next li').first()
  await eventually(async () =>
    assert.match(
      await first.innerText(),
      /\d\d:\d\d:\d\d Asia\/Tokyo\s+in .* · your time .*\d\d:\d\d:\d\d \(Europe\/Berlin\)/,
    ),
  )
  const history = page.getByLabel('History')
  await history.getByText('time in Asia/Tokyo').waitFor()
  await history.getByText('your time (Europe/Berlin)').waitFor()
  await page.close()
})

test('a failed run is shown with its output to whoever brings the token, and to nobody else', async () => {
  const page = await openWithToken(jobHash('talker'))
  const failure = page.getByLabel('Last failure')
  await failure.getByText('all is well').waitFor()
  await failure.locator('.output .err', { hasText: 'but this is not' }).waitFor()
  await failure.getByText('exit code 4').waitFor()
  await page.getByLabel('History').getByRole('link', { name: 'output' }).first().click()
  await page.waitForURL(/run=/)
  await page.getByLabel('Run', { exact: true }).getByText('but this is not').waitFor()
  await page.close()
  const stranger = await open(jobHash('talker'))
  await stranger.getByText('Output is shown to whoever brings the token').first().waitFor()
  await stranger.getByText('krontab console').first().waitFor()
  assert.ok(!(await stranger.locator('body').innerText()).includes('but this is not'))
  await stranger.close()
})

test('the output of a run under way grows as it is printed', async () => {
  const page = await openWithToken(jobHash('slow'))
  const output = page.getByLabel('Running now').locator('.output').first()
  await output.waitFor()
  const lines = async (): Promise<number> => (await output.innerText()).trim().split('\n').length
  const known = await lines()
  await eventually(async () => assert.ok((await lines()) > known))
  await page.close()
})

test('the page asked nobody but krond for anything, and complained of nothing', () => {
  assert.deepEqual([...browser.requested], [new URL(krond.url).origin])
  assert.deepEqual(browser.complaints, [])
})
