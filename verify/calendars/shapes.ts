/** Shapes of iCalendar files as real producers write them, one for each kind of rule. */
const calendar = (...lines: readonly string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Kron//shapes//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n')
let ids = 0
const event = (...lines: readonly string[]): string[] => [
  'BEGIN:VEVENT',
  `UID:${++ids}@example.org`,
  'DTSTAMP:20260101T000000Z',
  ...lines,
  'END:VEVENT',
]

const PARIS = [
  'BEGIN:VTIMEZONE',
  'TZID:Europe/Paris',
  'BEGIN:DAYLIGHT',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'TZNAME:CEST',
  'DTSTART:19700329T020000',
  'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
  'END:DAYLIGHT',
  'BEGIN:STANDARD',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'TZNAME:CET',
  'DTSTART:19701025T030000',
  'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
  'END:STANDARD',
  'END:VTIMEZONE',
]
const ROMANCE = PARIS.map(line => line.replace('Europe/Paris', 'Romance Standard Time'))

export const SHAPES: Readonly<Record<string, string>> = {
  'one day': calendar(...event('DTSTART;VALUE=DATE:20261225')),
  'several days': calendar(...event('DTSTART;VALUE=DATE:20261224', 'DTEND;VALUE=DATE:20261227')),
  'days by duration': calendar(...event('DTSTART;VALUE=DATE:20261224', 'DURATION:P3D')),
  'weeks by duration': calendar(...event('DTSTART;VALUE=DATE:20260701', 'DURATION:P2W')),
  'yearly holiday': calendar(...event('DTSTART;VALUE=DATE:20200501', 'RRULE:FREQ=YEARLY')),
  'leap day': calendar(...event('DTSTART;VALUE=DATE:20200229', 'RRULE:FREQ=YEARLY')),
  'leap days, counted': calendar(...event('DTSTART;VALUE=DATE:20200229', 'RRULE:FREQ=YEARLY;COUNT=5')),
  'the 31st of every second month': calendar(
    ...event('DTSTART;VALUE=DATE:20260131', 'RRULE:FREQ=MONTHLY;INTERVAL=2;COUNT=9'),
  ),
  'fourth Thursday of November': calendar(
    ...event('DTSTART;VALUE=DATE:20201126', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH'),
  ),
  'last Monday of May': calendar(
    ...event('DTSTART;VALUE=DATE:20200525', 'RRULE:FREQ=YEARLY;BYMONTH=5;BYDAY=-1MO'),
  ),
  'election day': calendar(
    ...event(
      'DTSTART;VALUE=DATE:20201103',
      'RRULE:FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8',
    ),
  ),
  'day of the year': calendar(
    ...event('DTSTART;VALUE=DATE:20200101', 'RRULE:FREQ=YEARLY;BYYEARDAY=1,100,-1;COUNT=30'),
  ),
  'last day of each month': calendar(
    ...event('DTSTART;VALUE=DATE:20260131', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=-1'),
  ),
  'the 31st': calendar(...event('DTSTART;VALUE=DATE:20260131', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=31;COUNT=40')),
  'last working day': calendar(
    ...event('DTSTART;VALUE=DATE:20260130', 'RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=60'),
  ),
  'second Tuesday': calendar(
    ...event(
      'DTSTART;TZID=America/New_York:20260113T180000',
      'DTEND;TZID=America/New_York:20260113T220000',
      'RRULE:FREQ=MONTHLY;BYDAY=2TU',
    ),
  ),
  'every other week': calendar(
    ...event('DTSTART;VALUE=DATE:20260105', 'RRULE:FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=MO,SU'),
  ),
  'week start matters': calendar(
    ...event('DTSTART;VALUE=DATE:19970805', 'RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO'),
  ),
  'working days until': calendar(
    ...event('DTSTART;VALUE=DATE:20260105', 'RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20261231'),
  ),
  'until in UTC': calendar(
    ...PARIS,
    ...event(
      'DTSTART;TZID=Europe/Paris:20260320T003000',
      'DTEND;TZID=Europe/Paris:20260320T013000',
      'RRULE:FREQ=DAILY;UNTIL=20260409T223000Z',
    ),
  ),
  'until just before': calendar(
    ...event(
      'DTSTART;TZID=Europe/Paris:20260320T003000',
      'DURATION:PT1H',
      'RRULE:FREQ=DAILY;UNTIL=20260409T222959Z',
    ),
  ),
  'across the change to summer time': calendar(
    ...event(
      'DTSTART;TZID=Europe/Paris:20260328T230000',
      'DTEND;TZID=Europe/Paris:20260329T040000',
      'RRULE:FREQ=DAILY;COUNT=3',
    ),
  ),
  'in the gap': calendar(
    ...event('DTSTART;TZID=Europe/Paris:20260327T023000', 'DURATION:PT30M', 'RRULE:FREQ=DAILY;COUNT=5'),
  ),
  'in the fold': calendar(
    ...event('DTSTART;TZID=Europe/Paris:20261023T023000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=5'),
  ),
  'a nominal day across the change': calendar(
    ...event('DTSTART;TZID=Europe/Paris:20260328T120000', 'DURATION:P1D', 'RRULE:FREQ=WEEKLY;COUNT=3'),
  ),
  'an all-day event on the day of the change': calendar(
    ...event('DTSTART;VALUE=DATE:20260329', 'DTEND;VALUE=DATE:20260330'),
    ...event('DTSTART;VALUE=DATE:20261025', 'RRULE:FREQ=YEARLY'),
  ),
  floating: calendar(
    ...event('DTSTART:20260301T220000', 'DTEND:20260302T060000', 'RRULE:FREQ=WEEKLY;COUNT=20'),
  ),
  'in UTC': calendar(
    ...event('DTSTART:20260301T220000Z', 'DTEND:20260302T060000Z', 'RRULE:FREQ=MONTHLY;COUNT=20'),
  ),
  'without an end': calendar(...event('DTSTART:20260301T220000Z'), ...event('DTSTART;VALUE=DATE:20260401')),
  'with seconds': calendar(...event('DTSTART:20260301T220013Z', 'DTEND:20260301T230047Z')),
  'an excluded day': calendar(
    ...event(
      'DTSTART;VALUE=DATE:20260101',
      'RRULE:FREQ=DAILY;COUNT=20',
      'EXDATE;VALUE=DATE:20260105,20260107',
      'EXDATE;VALUE=DATE:20260109',
    ),
  ),
  'an excluded time': calendar(
    ...PARIS,
    ...event(
      'DTSTART;TZID=Europe/Paris:20260320T090000',
      'DTEND;TZID=Europe/Paris:20260320T100000',
      'RRULE:FREQ=DAILY;COUNT=20',
      'EXDATE;TZID=Europe/Paris:20260325T090000',
      'EXDATE:20260401T070000Z',
    ),
  ),
  'added dates': calendar(
    ...event(
      'DTSTART;VALUE=DATE:20260101',
      'RDATE;VALUE=DATE:20260110,20260215',
      'RRULE:FREQ=MONTHLY;COUNT=3',
    ),
  ),
  'added times': calendar(
    ...event(
      'DTSTART;TZID=Asia/Tokyo:20260101T100000',
      'DURATION:PT90M',
      'RDATE;TZID=Asia/Tokyo:20260110T110000,20260111T120000',
    ),
  ),
  'a moved occurrence': calendar(
    ...event(
      'DTSTART;TZID=Europe/Paris:20260302T090000',
      'DTEND;TZID=Europe/Paris:20260302T100000',
      'RRULE:FREQ=WEEKLY;COUNT=6',
    ).map(line => line.replace(/^UID:.*/, 'UID:moved')),
    ...event(
      'RECURRENCE-ID;TZID=Europe/Paris:20260316T090000',
      'DTSTART;TZID=Europe/Paris:20260317T140000',
      'DTEND;TZID=Europe/Paris:20260317T160000',
    ).map(line => line.replace(/^UID:.*/, 'UID:moved')),
  ),
  'a cancelled occurrence': calendar(
    ...event('DTSTART;VALUE=DATE:20260302', 'RRULE:FREQ=WEEKLY;COUNT=6').map(line =>
      line.replace(/^UID:.*/, 'UID:cancelled'),
    ),
    ...event('RECURRENCE-ID;VALUE=DATE:20260316', 'DTSTART;VALUE=DATE:20260316', 'STATUS:CANCELLED').map(
      line => line.replace(/^UID:.*/, 'UID:cancelled'),
    ),
  ),
  'a cancelled event': calendar(
    ...event('DTSTART;VALUE=DATE:20260302', 'STATUS:CANCELLED'),
    ...event('DTSTART;VALUE=DATE:20260303', 'STATUS:TENTATIVE'),
  ),
  'names of Windows': calendar(
    ...ROMANCE,
    ...event(
      'DTSTART;TZID=Romance Standard Time:20260320T090000',
      'DTEND;TZID=Romance Standard Time:20260320T100000',
      'RRULE:FREQ=DAILY;COUNT=15',
    ),
  ),
  'hourly within a day': calendar(
    ...event(
      'DTSTART;TZID=Europe/Paris:20260320T080000',
      'DURATION:PT10M',
      'RRULE:FREQ=HOURLY;INTERVAL=3;COUNT=40',
    ),
  ),
  'several hours a day': calendar(
    ...event(
      'DTSTART;TZID=Europe/Paris:20260320T080000',
      'DURATION:PT10M',
      'RRULE:FREQ=DAILY;BYHOUR=8,12,18;BYMINUTE=0,30;COUNT=40',
    ),
  ),
  'southern summer time': calendar(
    ...event(
      'DTSTART;TZID=Australia/Lord_Howe:20260401T020000',
      'DURATION:PT2H',
      'RRULE:FREQ=DAILY;COUNT=10',
    ),
  ),
  'folded lines and lower case': calendar(
    ...event(
      'SUMMARY:A very long summary that a producer has folded\r\n  into two lines',
      'dtstart;value=date:20260601',
      'RRULE:FREQ=YEARLY;COU\r\n NT=3',
    ),
  ),
  'line feeds alone': calendar(...event('DTSTART;VALUE=DATE:20260601')).replaceAll('\r\n', '\n'),
  'two calendars in one file':
    calendar(...event('DTSTART;VALUE=DATE:20260601')) + calendar(...event('DTSTART;VALUE=DATE:20260603')),
  'tasks and alarms beside events': calendar(
    'BEGIN:VTODO',
    'UID:todo',
    'DTSTAMP:20260101T000000Z',
    'DUE;VALUE=DATE:20260101',
    'END:VTODO',
    ...event(
      'DTSTART;VALUE=DATE:20260601',
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'TRIGGER:-PT10M',
      'DESCRIPTION:x',
      'END:VALARM',
    ),
  ),
  'a change without its event': calendar(
    ...event('RECURRENCE-ID;VALUE=DATE:20260316', 'DTSTART;VALUE=DATE:20260317'),
  ),
  'touching events': calendar(
    ...event('DTSTART:20260301T100000Z', 'DTEND:20260301T110000Z'),
    ...event('DTSTART:20260301T110000Z', 'DTEND:20260301T120000Z'),
  ),
  'an empty calendar': calendar(),
}
