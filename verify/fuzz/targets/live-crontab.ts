import { findZone } from '@kron/core'
import { parseCrontab } from '@kron/host'
import { crontabSeeds } from '../seed-files.ts'
import { must, type Target } from '../target.ts'

const account = (name: string) => ({ name, uid: 1, gid: 1, home: '/', shell: '/bin/sh', groups: [1] })

/** Crontabs that krond reads as they are, of a user and of the system. */
export const target: Target = {
  seeds: crontabSeeds(),
  tokens:
    '* */5 0~59 1-5 */0 , @daily @reboot MON root CRON_TZ=Europe/Berlin RANDOM_DELAY=30 MAILTO="" SHELL=/bin/bash PATH=/bin % \\% \n \t # kron: name=a @win(after,15m) @policy(deadline=5m) " \' run-parts /etc/cron.daily'.split(
      / /,
    ),
  longest: 200,
  run(text) {
    const owner = text.length % 2 === 0 ? 'ada' : undefined
    const { entries, faults } = parseCrontab(text, '/etc/cron.d/x', {
      owner,
      zone: findZone('Europe/Berlin')!,
      windowNs: 0,
      uid: 0,
      findUser: account,
      listScripts: undefined,
    })
    must(faults.length === 0 || entries.length === 0, 'a file with a fault runs nothing')
    const count = text.split('\n').length
    for (const { line } of faults) must(line >= 1 && line <= count, 'a fault names a line of the file')
    must(new Set(entries.map(each => each.identity)).size === entries.length, 'identities are unique')
  },
}
