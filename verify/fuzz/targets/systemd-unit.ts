import { convertTimer } from '../../../packages/krontab/src/import/systemd/timer.ts'
import { mustBecomeJobFile } from '../imported.ts'
import { seedFiles } from '../seed-files.ts'
import type { Target } from '../target.ts'

/** Between the timer and its service. */
const BORDER = '\f'
const timers = seedFiles('packages/krontab/corpus/systemd/*.timer')
const services = seedFiles('packages/krontab/corpus/systemd/*.service')

export const target: Target = {
  seeds: [
    ...timers.map(timer => `${timer}${BORDER}[Service]\nExecStart=/bin/true\n`),
    ...services.map(service => `[Timer]\nOnCalendar=daily\n${BORDER}${service}`),
  ],
  tokens:
    '[Timer]\n [Service]\n [Unit]\n OnCalendar= daily weekly Mon..Fri *-*-* *-*~1 *:0/15 12:00:00 Europe/Berlin UTC 2026-01-01 RandomizedDelaySec= 1h30min Persistent=true Unit=x.service OnBootSec=1 ExecStart= ExecStartPre=- /bin/sh -c \\\n " \' \\x41 %i %n %% @ - + ! User=a Group=b WorkingDirectory=~ Environment="A=b" EnvironmentFile=/x UMask=022 TimeoutStartSec=90 StandardOutput=append:/x LimitNOFILE=1:2 Type=oneshot # ; \n = \f'.split(
      / /,
    ),
  longest: 260,
  run(text) {
    const [timer = '', service] = text.split(BORDER)
    mustBecomeJobFile(
      convertTimer({
        name: 'fuzz@a.timer',
        timer: [{ path: 'fuzz@a.timer', text: timer }],
        service: service === undefined ? [] : [{ path: 'fuzz@a.service', text: service }],
        zone: 'Europe/Berlin',
      }),
    )
  },
}
