import type { Topic } from '@kron/cli'

/** `krontab help <topic>`: the few things that a newcomer looks up most. */
export const TOPICS: readonly Topic[] = [
  {
    name: 'files',
    summary: 'a line of a job file, and where the files are',
    lines: [
      'A line is a schedule, its modifiers, and keys:',
      '',
      '  0 2 * * *  @win(after,2h)  name=backup  command="/usr/local/bin/backup --all"',
      '',
      'name= and command= are needed. Only double quotes group words. A # begins a comment on a line of its own.',
      'Pipes, && and variables need shell=true. krontab lint FILE shows every mistake.',
    ],
  },
  {
    name: 'windows',
    summary: 'when a run may start: @win',
    lines: [
      '  @win(after,2h)   from the nominal time to two hours later',
      '  @win(around,1h)  half an hour before to half an hour after',
      '  @win(before,2h)  the two hours up to the nominal time',
      '',
      'Without a window a job starts at its nominal time, as in cron. krontab explain JOB draws the window.',
    ],
  },
  {
    name: 'distributions',
    summary: 'which part of a window is likelier: @dist',
    lines: [
      '  uniform                      all seconds are equal (the default)',
      '  skewEarly, skewLate          early or late seconds are likelier; shape=2',
      '  normal                       a bell; mu=nominal|start|mid|end, sigma=DURATION',
      '  exponential                  a burst that fades out; lambda=1, dir=early|late',
      '  weights                      a curve of your own, such as a tariff; file=NAME of weights/NAME.csv',
    ],
  },
  {
    name: 'zones',
    summary: 'time zones and changes of the clock: @tz',
    lines: [
      '  @tz(Europe/Paris)            an IANA name; without it the zone is UTC',
      '',
      'A local time that the clocks skip has no run on that day; one that comes twice has two.',
    ],
  },
  {
    name: 'constraints',
    summary: 'seconds that are allowed or refused: @only, @avoid',
    lines: [
      '  @only(hours=9-17)            @avoid(dow=SAT,SUN)',
      '  @avoid(between=02:30-03:00)  @only(dom=1-7; months=JAN,JUL)',
      '  @avoid(date=2026-12-25)      @avoid(cal=holidays)',
      '',
      'Values of one kind add up. @only needs every kind to hold; @avoid refuses what any clause matches.',
    ],
  },
  {
    name: 'seeds',
    summary: 'how the second is chosen, and how to move it: @seed',
    lines: [
      'The second follows from the identity of the job (its file and name), the period and the salt.',
      '',
      '  @seed(daily), @seed(weekly)  the same offset all day or all week',
      '  @seed(stable,salt="x")       other seconds without another name; %H is the host, %m the machine',
    ],
  },
  {
    name: 'policies',
    summary: 'late and overlapping runs: @policy',
    lines: [
      '  @policy(deadline=10m)         how late a period may still start (default 0s: within its second)',
      '  @policy(concurrency=forbid)   skip while the last run is active (the default); allow, replace',
      '  @policy(suspend=true)         start nothing',
    ],
  },
]
