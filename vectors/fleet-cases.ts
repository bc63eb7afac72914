/** Questions of `fleet.json`: salts with specifiers, on hosts of every kind. */
import type { DecisionInput } from './cases.ts'

export interface FleetInput extends DecisionInput {
  readonly place: { readonly host: string; readonly machineId?: string }
}

const SALTS = ['%H', '%m', '%%', '%H/%m', 'blue-%H~3', '100%%', '%%H', 'plain']
const HOSTS = ['web1', 'web1.example.org', 'db-0.eu-west.example.net', 'bücher.example']
const IDS = [
  '0123456789abcdef0123456789abcdef',
  'ffffffffffffffffffffffffffffffff',
  '00000000000000000000000000000001',
]

export function fleetCases(): { name: string; input: FleetInput }[] {
  return SALTS.flatMap((salt, s) =>
    HOSTS.flatMap((host, h) =>
      IDS.map((machineId, m) => ({
        name: `salt ${salt} on ${host}, machine ${m}`,
        input: {
          identity: '/etc/krond.d/jobs.kron:backup',
          nominalTime: `2025-0${1 + ((s + h) % 9)}-1${m}T02:00:00Z`,
          timezone: ['UTC', 'Europe/Paris', 'America/New_York'][m]!,
          window: ['2h', '30m', '24h'][(s + m) % 3]!,
          mode: (['after', 'around', 'before'] as const)[h % 3]!,
          distribution: (['uniform', 'skewEarly', 'normal'] as const)[s % 3]!,
          params: {},
          seedStrategy: (['stable', 'daily', 'weekly'] as const)[m]!,
          salt,
          only: [],
          avoid: h === 3 ? ['dow=SUN'] : [],
          place: { host, machineId },
        },
      })),
    ),
  )
}
