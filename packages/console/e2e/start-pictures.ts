/** The picture of README.md: the load as `npm start` shows it in its first minute, with the same jobs and the same recorded past. */
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { recordPast } from '../../../scripts/demo/recorded-past.ts'
import { Browser } from './browser.test-support.ts'
import { Krond } from './krond.test-support.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const krond = new Krond([], [], '/tmp/kron-start')
for (const file of globSync('examples/*.kron', { cwd: root }))
  krond.write(readFileSync(`${root}${file}`, 'utf8').split('\n'), basename(file))
recordPast(dirname(krond.jobFile), krond.stateDir, Math.floor(Date.now() / 1_000))
const browser = new Browser()

try {
  await krond.start()
  const page = await browser.open(`${krond.url}#/load`, { width: 1280, height: 720, token: krond.token })
  await page.getByText('peak with windows').first().waitFor()
  await page.screenshot({ path: `${root}docs/images/start-load.png` })
} finally {
  await browser.close()
  await krond.remove()
}
