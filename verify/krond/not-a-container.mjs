// krond refuses `--stop leave` in a container, because its jobs would end with it. Loaded before krond, this hides the marks
// of a container: a scene about a host is then played where jobs survive krond, although the machine is a container.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { existsSync } = fs
fs.existsSync = path => path !== '/.dockerenv' && path !== '/run/.containerenv' && existsSync(path)
syncBuiltinESMExports()
