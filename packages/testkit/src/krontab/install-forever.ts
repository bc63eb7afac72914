import { PathTrust } from '@kron/host'
import { install } from '../../../krontab/src/job-files/install.ts'

/** Runs as a process of its own: replaces a file with whole files of one letter, for ever. */
const trust = new PathTrust({ uid: process.getuid!(), gid: process.getgid!(), followSymlinks: false })
const [path = ''] = process.argv.slice(2)
for (let i = 0; ; i++) {
  const letter = String.fromCharCode(97 + (i % 26))
  await install({ path, text: letter.repeat(200_000), replace: true, trust })
  if (i === 0) process.stdout.write('ready\n')
}
