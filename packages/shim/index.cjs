'use strict'
const { join } = require('node:path')

const architectures = ['x64', 'arm64']

exports.shimPath = function shimPath() {
  if (process.platform !== 'linux' || !architectures.includes(process.arch))
    throw new Error(
      `kron-shim is built for linux-x64 and linux-arm64, and this is ${process.platform}-${process.arch}. ` +
        'krond and `krontab run` need it.',
    )
  return join(__dirname, 'bin', `kron-shim-linux-${process.arch}`)
}
