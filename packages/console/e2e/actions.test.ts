import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { accessibilityFindings, eventually } from './browser.test-support.ts'
import { startShow } from './show.test-support.ts'

const LINES = [
  '0 2 1 1 * name=quick shell=true command="echo done by hand"',
  '0 2 1 1 * name=long command="/bin/sleep 600"',
  '* * * * * name=often command=/bin/true',
]
const { krond, browser } = startShow(LINES)

const hashOf = (name: string): string => `#/job?id=${encodeURIComponent(`${krond.jobFile}:${name}`)}`
const openJob = (name: string): Promise<Page> =>
  browser.open(`${krond.url}${hashOf(name)}`, { token: krond.token })

/** Presses a button of the page, then the one that confirms. */
async function act(page: Page, button: string | RegExp, confirm: string): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('dialog').getByRole('button', { name: confirm, exact: true }).click()
}

async function close(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

interface Audit {
  readonly entries: readonly {
    readonly action: string
    readonly identity: string | null
    readonly result: string
  }[]
}

/** The actions in krond's audit log, newest first. */
async function audited(): Promise<string[]> {
  const headers = { authorization: `Bearer ${krond.token}` }
  const { entries } = (await (await fetch(`${krond.url}api/v1/audit`, { headers })).json()) as Audit
  return entries.map(
    ({ action, identity, result }) => `${action} ${identity?.split(':').at(-1) ?? 'all'} ${result}`,
  )
}

test('a job is run by hand after a confirmation, and its output is there', async () => {
  const page = await openJob('quick')
  await page.getByRole('button', { name: /Run now/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.deepEqual(await audited(), [])
  await act(page, /Run now/, 'Run now')
  await page.getByText(/Started at \d\d:\d\d:\d\d .* as process \d+/).waitFor()
  await close(page)
  await page.getByLabel('History').getByText('(by hand)').waitFor()
  await page.getByLabel('History').getByRole('link', { name: 'output' }).click()
  await page.getByLabel('Run', { exact: true }).getByText('done by hand').waitFor()
  assert.deepEqual(await audited(), ['trigger quick done'])
  await page.close()
})

test('a second run of a job that forbids it is refused with the reason', async () => {
  const page = await openJob('long')
  await act(page, /Run now/, 'Run now')
  await page.getByText(/Started at/).waitFor()
  await close(page)
  await page.getByLabel('Running now').waitFor()
  await act(page, /Run now/, 'Run now')
  await page
    .getByRole('dialog')
    .getByText(/Refused: .*/)
    .waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).waitFor()
  await eventually(async () => assert.equal((await audited())[0], 'trigger long refused'))
  await page.close()
})

test('a job is paused with a reason, everybody sees it, and it is resumed', async () => {
  const page = await openJob('often')
  await page.getByRole('button', { name: 'Pause…' }).click()
  await page.getByLabel('Reason').fill('the disk is being replaced')
  assert.deepEqual(await accessibilityFindings(page), [])
  await page.getByRole('dialog').getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByText(/^Paused until somebody resumes it/).waitFor()
  await close(page)
  await page.getByText('the disk is being replaced').waitFor()
  await page.locator('.job-head .badge', { hasText: 'paused' }).waitFor()
  const other = await browser.open(krond.url)
  await other.getByLabel('Pauses').getByText('often').waitFor()
  assert.equal(await other.getByText('the disk is being replaced').count(), 0, 'the reason needs the token')
  await other.goto(`${krond.url}#/jobs?show=paused`)
  await other.getByText('1 job', { exact: true }).waitFor()
  await other.close()
  await act(page, 'Resume', 'Resume')
  await page.getByText('Resumed: 1 pause ended.').waitFor()
  await close(page)
  await page.getByText('the disk is being replaced').waitFor({ state: 'detached' })
  assert.deepEqual((await audited()).slice(0, 2), ['resume often done', 'pause often done'])
  await page.close()
})

test('a freeze of all jobs is planned, and the page tells which starts it costs', async () => {
  const page = await browser.open(krond.url, { token: krond.token })
  await page.getByRole('button', { name: 'Pause all…' }).click()
  const inLocalTime = (minutes: number): Promise<string> =>
    page.evaluate(away => {
      const at = new Date(Date.now() + away * 60_000)
      return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
    }, minutes)
  await page.getByLabel(/^From/).fill(await inLocalTime(20))
  await page.getByLabel(/^Until/).fill(await inLocalTime(30))
  await page.getByRole('dialog').getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByText(/^Planned from .* until .*Europe\/Berlin/).waitFor()
  await close(page)
  await page.getByLabel('Pauses').getByText('all jobs').waitFor()
  await page
    .getByLabel('Next hour')
    .getByText(/\d+ paused/)
    .first()
    .waitFor()
  await page.goto(`${krond.url}#/load`)
  await page.locator('.shade').first().waitFor()
  await page.goto(krond.url)
  await act(page, 'Resume all', 'Resume')
  await page.getByText('Resumed: 1 pause ended.').waitFor()
  await close(page)
  await page.close()
})

test('a reload tells what it changed; a refused one names the mistakes, and the overview says so', async () => {
  const page = await browser.open(krond.url, { token: krond.token })
  krond.write([...LINES, '0 5 * * * name=new command=/bin/true'])
  await act(page, 'Reload job files', 'Reload')
  await page.getByText('Reloaded: 1 added, 0 changed, 0 removed, 3 unchanged.').waitFor()
  await close(page)
  krond.write([...LINES, '0 25 * * * name=wrong command=/bin/true'])
  await act(page, 'Reload job files', 'Reload')
  await page
    .getByRole('dialog')
    .getByText(/Refused: .*25/s)
    .waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByText(/A reload was refused/).waitFor()
  krond.write(LINES)
  await act(page, 'Reload job files', 'Reload')
  await page.getByText('Reloaded: 0 added, 0 changed, 1 removed, 3 unchanged.').waitFor()
  await close(page)
  await page.getByText(/A reload was refused/).waitFor({ state: 'detached' })
  await page.close()
})

test('without the token every button explains how to be allowed, and does nothing', async () => {
  const known = await audited()
  const page = await browser.open(`${krond.url}${hashOf('quick')}`)
  for (const button of [/Run now/, 'Pause…']) {
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('dialog').getByText('This page may only look.').waitFor()
    await page.getByRole('dialog').getByText('krontab console').waitFor()
    await close(page)
  }
  await page.goto(krond.url)
  for (const button of ['Reload job files', 'Pause all…']) {
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('dialog').getByText('This page may only look.').waitFor()
    await close(page)
  }
  assert.deepEqual(await audited(), known)
  await page.close()
})

test('a token of scope read shows the command, and its buttons say that it may only look', async () => {
  const token = krond.krontab('token', 'add', 'visitor').trim()
  const known = await audited()
  const page = await browser.open(`${krond.url}${hashOf('quick')}`, { token })
  await page.getByText('/bin/sh').first().waitFor()
  for (const button of [/Run now/, 'Pause…']) {
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('dialog').getByText('The token visitor may only look').waitFor()
    assert.deepEqual(await accessibilityFindings(page), [])
    await close(page)
  }
  assert.deepEqual(await audited(), known)
  krond.krontab('token', 'remove', 'visitor')
  await page.reload()
  await page.getByText('krond wants to see its token first').waitFor()
  await page.close()
})

test('a token of scope operate runs and pauses jobs, and its reload button says that it may not', async () => {
  const token = krond.krontab('token', 'add', 'deploy', '--scope', 'operate').trim()
  const page = await browser.open(`${krond.url}${hashOf('quick')}`, { token })
  await act(page, /Run now/, 'Run now')
  await page.getByText(/Started at/).waitFor()
  await close(page)
  await page.getByLabel('History').getByText('(by hand)').first().waitFor()
  await page.goto(krond.url)
  await act(page, 'Pause all…', 'Pause')
  await page.getByText(/^Paused until somebody resumes it/).waitFor()
  await close(page)
  await act(page, 'Resume all', 'Resume')
  await page.getByText('Resumed: 1 pause ended.').waitFor()
  await close(page)
  await page.getByRole('button', { name: 'Reload job files' }).click()
  await page.getByRole('dialog').getByText('may run, pause and resume jobs, but not do this').waitFor()
  await close(page)
  assert.deepEqual((await audited()).slice(0, 3), ['resume all done', 'pause all done', 'trigger quick done'])
  await page.close()
})

test('no action made the page complain', () => {
  assert.deepEqual(browser.complaints, [])
})
