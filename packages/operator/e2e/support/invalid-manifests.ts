import type { KronJobSpec } from '../../src/manifest/kronjob.ts'

export interface InvalidManifest {
  readonly name: string
  readonly spec: KronJobSpec
  /** The message with which admission rejects the manifest. */
  readonly rejected?: RegExp
  /** A krontab line whose lint messages the operator reports for the manifest. */
  readonly lint?: string
  readonly says?: RegExp
}

/** Manifests with one mistake each. */
export function invalidManifests(jobTemplate: KronJobSpec['jobTemplate']): InvalidManifest[] {
  const manifests: InvalidManifest[] = []
  const add = (spec: object, expected: Omit<InvalidManifest, 'name' | 'spec'>): void => {
    const whole = { schedule: '0 2 * * *', jobTemplate, ...spec } as KronJobSpec
    manifests.push({ name: `invalid-${manifests.length}`, spec: whole, ...expected })
  }
  const rejected = (spec: object, how: RegExp): void => add(spec, { rejected: how })
  const linted = (spec: object, lint: string): void => add(spec, { lint })

  rejected({ schedule: undefined }, /spec\.schedule: Required value/)
  rejected({ schedule: '' }, /spec\.schedule/)
  rejected({ schedule: '* * * *' }, /spec\.schedule/)
  rejected({ schedule: '0 0 * * * *' }, /spec\.schedule/)
  rejected({ schedule: '@reboot' }, /spec\.schedule/)
  rejected({ schedule: '0 0 L * *' + ' ?' }, /spec\.schedule/)
  rejected({ schedule: 5 }, /spec\.schedule/)
  rejected({ timezone: '' }, /spec\.timezone/)
  rejected({ timezone: 'Europe Paris' }, /spec\.timezone/)
  rejected({ window: { mode: 'during', duration: '1h' } }, /spec\.window\.mode: Unsupported value/)
  rejected({ window: { duration: '1d' } }, /spec\.window\.duration/)
  rejected({ window: { duration: '-1h' } }, /spec\.window\.duration/)
  rejected({ window: { duration: '90' } }, /spec\.window\.duration/)
  rejected({ window: { duration: '745h' } }, /at most 744h/)
  rejected({ window: 'after 2h' }, /spec\.window/)
  rejected({ distribution: { name: 'gauss' } }, /spec\.distribution\.name: Unsupported value/)
  rejected({ distribution: { name: 'uniform', params: { shape: 2 } } }, /the parameter shape belongs to/)
  rejected(
    { distribution: { name: 'normal', params: { lambda: 2 } } },
    /the parameter lambda belongs to exponential/,
  )
  rejected({ distribution: { name: 'skewEarly', params: { shape: 0 } } }, /spec\.distribution\.params\.shape/)
  rejected(
    { distribution: { name: 'skewEarly', params: { shape: '2' } } },
    /spec\.distribution\.params\.shape/,
  )
  rejected({ distribution: { name: 'normal', params: { mu: 'middle' } } }, /spec\.distribution\.params\.mu/)
  rejected({ distribution: { name: 'normal', params: { sigma: '20' } } }, /spec\.distribution\.params\.sigma/)
  rejected(
    { distribution: { name: 'exponential', params: { dir: 'up' } } },
    /spec\.distribution\.params\.dir/,
  )
  rejected({ seed: { strategy: 'monthly' } }, /spec\.seed\.strategy: Unsupported value/)
  rejected({ seed: { salt: 7 } }, /spec\.seed\.salt/)
  rejected({ constraints: { only: [{ hours: '9-17', dow: 'MON' }] } }, /exactly one|must have at most 1/)
  rejected({ constraints: { only: [{}] } }, /exactly one|must have at least 1|should have at least 1/)
  rejected({ constraints: { avoid: [{ between: '8:00-20:00' }] } }, /spec\.constraints\.avoid\[0\]\.between/)
  rejected({ constraints: { avoid: [{ date: '2026-13-01' }] } }, /spec\.constraints\.avoid\[0\]\.date/)
  rejected(
    { constraints: { only: Array.from({ length: 65 }, () => ({ hours: '1' })) } },
    /must have at most 64|64 clauses/,
  )
  rejected({ policy: { concurrency: 'Forbid' } }, /spec\.policy\.concurrency: Unsupported value/)
  rejected({ policy: { deadline: '10' } }, /spec\.policy\.deadline/)
  rejected({ policy: { deadline: '1000h' } }, /at most 744h/)
  rejected({ policy: { suspend: 'yes' } }, /spec\.policy\.suspend/)
  rejected({ history: { successful: -1 } }, /spec\.history\.successful/)
  rejected({ jobTemplate: undefined }, /spec\.jobTemplate: Required value/)
  rejected({ jobTemplate: {} }, /spec\.jobTemplate\.spec: Required value/)
  manifests.push({
    name: 'a-name-that-is-longer-than-the-fifty-two-characters-it-may',
    spec: { schedule: '0 2 * * *', jobTemplate },
    rejected: /at most 52 characters/,
  })
  manifests.push({ name: 'dotted.name', spec: { schedule: '0 2 * * *', jobTemplate }, rejected: /DNS label/ })

  linted({ schedule: '61 * * * *' }, '61 * * * *')
  linted({ schedule: '0 24 * * *' }, '0 24 * * *')
  linted({ schedule: '0 0 30 2 *' }, '0 0 30 2 *')
  linted({ schedule: '0 22-4 * * *' }, '0 22-4 * * *')
  linted({ schedule: '5/15 * * * *' }, '5/15 * * * *')
  linted({ schedule: '0 0 * FOO *' }, '0 0 * FOO *')
  linted({ timezone: 'Mars/Phobos' }, '0 2 * * * @tz(Mars/Phobos)')
  linted({ timezone: 'europe/paris' }, '0 2 * * * @tz(europe/paris)')
  linted({ distribution: { name: 'normal', params: { sigma: '0s' } } }, '0 2 * * * @dist(normal,sigma=0s)')
  linted({ constraints: { only: [{ hours: '25' }] } }, '0 2 * * * @only(hours=25)')
  linted({ constraints: { only: [{ dow: 'FRI-MON' }] } }, '0 2 * * * @only(dow=FRI-MON)')
  linted({ constraints: { avoid: [{ between: '20:00-08:00' }] } }, '0 2 * * * @avoid(between=20:00-08:00)')
  linted({ constraints: { avoid: [{ date: '2026-02-30' }] } }, '0 2 * * * @avoid(date=2026-02-30)')
  linted(
    { constraints: { avoid: [{ dates: '2026-12-31..2026-12-24' }] } },
    '0 2 * * * @avoid(dates=2026-12-31..2026-12-24)',
  )
  add(
    { schedule: '* * * * *', window: { duration: '17h' } },
    { says: /periods would be open at once, more than 1000/ },
  )
  add({ jobTemplate: { spec: { template: { spec: { containers: [] } } } } }, { says: /spec\.template\.spec/ })
  add({ jobTemplate: { spec: { parallelism: -1, template: {} } } }, { says: /parallelism/ })
  return manifests
}
