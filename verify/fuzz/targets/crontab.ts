import { convertCrontab } from '../../../packages/krontab/src/import/crontab/crontab.ts'
import { mustBecomeJobFile } from '../imported.ts'
import { crontabSeeds } from '../seed-files.ts'
import type { Target } from '../target.ts'

export const target: Target = {
  seeds: crontabSeeds(),
  tokens:
    '* */5 0~59 1-5 @daily @reboot @every_minute MON root www-data:adm/x CRON_TZ=Europe/Berlin RANDOM_DELAY=30 MAILTO="" SHELL=/bin/bash HOME=/ PATH=/bin:$PATH % \\% -q - \n \r\n \t # " \' && ; cd sleep $((RANDOM%60)) run-parts /etc/cron.daily'.split(
      / /,
    ),
  longest: 200,
  run(text) {
    mustBecomeJobFile(
      convertCrontab('crontab', text, {
        withUser: text.length % 2 === 0,
        zone: 'Europe/Berlin',
        findUser: name => ({ name: name ?? 'ada', uid: 1, gid: 1, home: '/', shell: '/bin/sh', groups: [1] }),
      }),
    )
  },
}
