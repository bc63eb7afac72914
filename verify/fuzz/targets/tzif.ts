import { next, parseCron, prev, TABLE_END, TABLE_START, Zone } from '@kron/core'
import { TzifError, zoneTableOf } from '@kron/host'
import { makeTzif } from '@kron/testkit/host/zone/tzif'
import { must, type Target } from '../target.ts'

const cron = parseCron('30 2 * * 0', 'kron')
must(cron.ok, 'the seed is an expression')

const NOW = 1_780_000_000

/** Time zone files of the host, whatever is in them. */
export const target: Target = {
  seeds: [
    makeTzif({ version: 1, transitions: [[0, 1]], offsets: [60, 3_600] }),
    makeTzif({
      offsets: [3_600, 7_200],
      transitions: [[NOW, 1]],
      footer: 'CET-1CEST,M3.5.0/-167,M10.5.0/167',
    }),
    makeTzif({ version: 4, offsets: [-1, -3_600], transitions: [[5, 1]], footer: '<-01>1' }),
  ].map(bytes => bytes.toString('latin1')),
  tokens: [
    'TZif',
    '2',
    '4',
    '\n',
    '\0\0\0\0',
    '\0\0\0\x01',
    '\xff\xff\xff\xff',
    ...'CET-1CEST ,M3.5.0 ,M10.5.0/3 ,J365/25 ,0/0 <+03>-3 /-167 /167 :59'.split(' '),
  ],
  longest: 400,
  run(text) {
    let zone: Zone
    try {
      zone = Zone.fromTable('Fuzz/Zone', zoneTableOf(Buffer.from(text, 'latin1'), 'fuzz'))
    } catch (error) {
      if (error instanceof TzifError) return must(error.message.length > 0, 'a refusal has a reason')
      throw error
    }
    let rows = 0
    for (let at = TABLE_START; at < TABLE_END; at = zone.endOf(zone.rowAt(at)), rows++) {
      must(Math.abs(zone.offsetAt(at)) < 86_400, 'no offset is a day or more')
      must(zone.endOf(zone.rowAt(at)) > at, 'segments have a length')
    }
    must(rows <= text.length + 600, 'a small file makes a small table')
    const found = next(cron.value, zone, NOW)
    if (found !== undefined)
      must(found > NOW && prev(cron.value, zone, found) === found, 'next and prev agree')
  },
}
