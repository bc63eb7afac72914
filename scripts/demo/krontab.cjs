#!/usr/bin/env node
// `npx krontab` in a clone in which `npm start` has run: krontab looks at the demo unless it is told otherwise.
const { existsSync } = require('node:fs')
const { join } = require('node:path')

const root = join(__dirname, '../..')
const state = join(root, 'var/state')
if (existsSync(state)) {
  process.env.KROND_CONFIG ||= join(root, 'examples')
  process.env.KROND_STATE_DIR ||= state
}
require('../../packages/krontab/bin/krontab.cjs')
