import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Browser } from './browser.test-support.ts'
import { Krond } from './krond.test-support.ts'

const browser = new Browser()
const started: Krond[] = []
after(async () => {
  await browser.close()
  for (const krond of started) await krond.remove()
})

async function start(
  lines: readonly string[],
  options: (krond: Krond) => readonly string[] = () => [],
): Promise<Krond> {
  const given: string[] = []
  const krond = new Krond(lines, given)
  given.push(...options(krond))
  started.push(krond)
  await krond.start()
  return krond
}

test('a lost daemon is admitted, and what it is when it is back is shown', async () => {
  const krond = await start(['0 2 * * * name=first command=/bin/true'])
  const page = await browser.open(`${krond.url}#/timeline`)
  await page.getByText('1 job', { exact: true }).waitFor()
  await krond.stop()
  await page.getByText('Disconnected from krond since').waitFor()
  await page.getByText('first').waitFor()
  krond.write(['0 2 * * * name=first command=/bin/true', '0 3 * * * name=second command=/bin/true'])
  await krond.start()
  await page.getByText('2 jobs').waitFor()
  await page.locator('.pulse.live').waitFor()
  assert.equal(await page.getByText('Disconnected').count(), 0)
  await page.close()
})

test('a reload is shown without asking', async () => {
  const krond = await start(['0 2 * * * name=first command=/bin/true'])
  const page = await browser.open(`${krond.url}#/timeline`)
  await page.getByText('1 job', { exact: true }).waitFor()
  krond.write(['0 2 * * * name=first command=/bin/true', '0 3 * * * name=second command=/bin/true'])
  krond.reload()
  await page.getByText('2 jobs').waitFor()
  await page.close()
})

test('without jobs it says so', async () => {
  const krond = await start(['# nothing yet'])
  const page = await browser.open(krond.url)
  await page.getByText('No jobs are defined').waitFor()
  await page.goto(`${krond.url}#/load`)
  await page.getByText('Nothing is planned in this time').waitFor()
  await page.goto(`${krond.url}#/job?id=nobody`)
  await page.getByText('there is no job').waitFor()
  await page.close()
})

test('a daemon with a token shows nothing until it is given', async () => {
  const krond = await start(['0 2 * * * name=hidden command=/bin/true'], ({ directory }) => {
    const file = join(directory, 'token')
    writeFileSync(file, 'a-secret-of-some-length\n', { mode: 0o600 })
    return ['--token-file', file]
  })
  const page = await browser.open(`${krond.url}#/timeline`)
  await page.getByLabel('Token').fill('a-secret-of-some-length')
  await page.getByText('krontab console').waitFor()
  assert.equal(await page.getByText('hidden').count(), 0)
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByText('1 job', { exact: true }).waitFor()
  await page.getByText('hidden').waitFor()
  await page.close()
})

test('a link brings the token, which leaves the address at once and ends with the tab', async () => {
  const krond = await start(['0 2 * * * name=secretive command=/bin/true'])
  const job = `${krond.url}#/job?id=${encodeURIComponent(`${krond.jobFile}:secretive`)}`
  const page = await browser.open(job, { token: krond.token })
  await page.getByText('/bin/true').waitFor()
  assert.ok(!page.url().includes(krond.token))
  await page.reload()
  await page.getByText('/bin/true').waitFor()
  await page.goBack()
  assert.ok(!page.url().includes(krond.token), 'the history of the tab does not hold it')
  await page.close()
  const other = await browser.open(job)
  await other.getByText('are shown to whoever brings the token').waitFor()
  assert.equal(await other.getByText('/bin/true').count(), 0)
  await other.close()
})
