#!/usr/bin/env node
// CommonJS, because Node starts it sooner; and a bundle is loaded sooner than the hundred modules it is made of.
const { existsSync } = require('node:fs')
const { join } = require('node:path')

const bundle = join(__dirname, '../dist/krontab.cjs')
if (existsSync(bundle)) require(bundle)
else import('../dist/bin/krontab.js')
