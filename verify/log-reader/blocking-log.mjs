// Loaded before krond, this makes its log writer wait for the reader, as it did before it had a descriptor of its own. A
// daemon that is broken in this way shows that the comparison notices a log reader that delays starts.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { openSync, constants } = fs
fs.openSync = (path, flags, mode) =>
  openSync(path, path === '/proc/self/fd/2' ? flags & ~constants.O_NONBLOCK : flags, mode)
syncBuiltinESMExports()
