#!/usr/bin/env node
// Not in dist: npm links a program only if its file is there when it installs, and a clone is built later.
import '../dist/bin/kronctl.js'
