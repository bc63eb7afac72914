/** Questions of `weights.json`: curves of the local day and of instants, near changes of the clock, and without a usable curve. */
import type { DecisionInput } from './cases.ts'

export interface WeightsInput extends Omit<DecisionInput, 'distribution'> {
  readonly distribution: 'weights'
  /** The text of the weights file; null: there is none. */
  readonly weights: string | null
}

const HOURLY = Array.from({ length: 30 }, (_, i) => {
  const start = new Date(Date.UTC(2025, 2, 29, 18 + i)).toISOString().slice(0, 19)
  return `${start}Z,${[3, 1, 0, 7.5, 0.25, 2, 2, 900][i % 8]}`
}).join('\n')

const CURVES: Readonly<Record<string, string | null>> = {
  night: 'start,weight\n00:00,4\n05:30,1\n07:00,0\n21:15,2.5\n',
  'night from 03:00': '03:00,1\n04:00,3\n23:00,0.125\n',
  'one hour': '02:00,1\n03:00,0\n',
  'large and small': '00:00,999999999\n00:01,0.000000001\n12:00,123.456\n',
  'equal neighbours': '00:00,2\n06:00,2\n12:00,3\n18:00,2\n',
  even: '00:00,1\n',
  hourly: HOURLY,
  'too short': '2025-03-29T20:00:00Z,1\n2025-03-29T20:15:00Z,2\n',
  unreadable: '00:00,1\n00:00,2\n',
  missing: null,
}
const NOMINALS = ['2025-03-29T20:00:00Z', '2025-03-30T00:30:00Z', '2025-10-25T21:07:09Z']
const ZONES = ['UTC', 'Europe/Paris', 'Australia/Lord_Howe', 'America/St_Johns']
const LIMITS: readonly (readonly [only: readonly string[], avoid: readonly string[]])[] = [
  [[], []],
  [['hours=2-4'], []],
  [[], ['between=01:30-03:15']],
]

export function weightsCases(): { name: string; input: WeightsInput }[] {
  return Object.entries(CURVES).flatMap(([curve, weights], c) =>
    NOMINALS.flatMap((nominalTime, n) =>
      ZONES.map((timezone, z) => {
        const [only, avoid] = LIMITS[(c + n + z) % 3]!
        return {
          name: `${curve} at ${nominalTime} in ${timezone}`,
          input: {
            identity: `/etc/krond.d/jobs.kron:job-${c}`,
            nominalTime,
            timezone,
            window: ['6h', '12h', '9h0m0.5s', '30h'][(n + z) % 4]!,
            mode: (['after', 'around', 'before'] as const)[(c + n) % 3]!,
            distribution: 'weights' as const,
            params: { file: 'curve' },
            seedStrategy: (['stable', 'daily', 'weekly'] as const)[z % 3]!,
            salt: z === 3 ? 'web1' : '',
            only,
            avoid,
            weights,
          },
        }
      }),
    ),
  )
}
