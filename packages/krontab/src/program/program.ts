import type { Command } from '@kron/cli'
import { COMMANDS } from '../commands.ts'
import { FORMAT } from './options.ts'
import { TOPICS } from './topics.ts'

/** The whole command line of krontab. */
export const KRONTAB: Command = {
  name: 'krontab',
  summary: 'check, explain, preview, forecast and edit job files',
  details: [
    'Job files (*.kron) are looked for in /etc/krond.d for root, in $XDG_CONFIG_HOME/krond or ~/.config/krond for others.',
  ],
  options: FORMAT,
  topics: TOPICS,
  otherOptions: {
    '-e': 'krontab edit FILE edits a job file; crontab -e edits a crontab',
    '-l': 'krontab list shows the jobs; crontab -l shows a crontab',
    '-r': 'krontab remove JOB removes one job; crontab -r removes a whole crontab',
    '-u': 'user=NAME in a job file says who runs a job; crontab -u NAME is for crontabs',
  },
  commands: COMMANDS.map(({ command }) => command),
}
