import { civilFromDays } from './civil.ts'

/** The characters of `printInstant`, four to a word: a hash takes them without a string between. */
export function putInstant(seconds: number, into: Int32Array): void {
  const days = Math.floor(seconds / 86_400)
  const { year, month, day } = civilFromDays(days)
  const ofDay = seconds - days * 86_400
  const century = (year / 100) | 0
  const hour = (ofDay / 3_600) | 0
  const minute = ((ofDay - hour * 3_600) / 60) | 0
  const hh = pair(hour)
  into[0] = (pair(century) << 16) | pair(year - century * 100) // YYYY
  into[1] = 0x2d00_002d | (pair(month) << 8) // -MM-
  into[2] = (pair(day) << 16) | 0x5400 | (hh >> 8) // DDTH
  into[3] = (hh << 24) | 0x3a_0000 | pair(minute) // H:MM
  into[4] = 0x3a00_005a | (pair(ofDay % 60) << 8) // :SSZ
}

/** Two digits in ASCII. Each ten moves to the higher byte: 256 instead of 10. */
const pair = (n: number): number => 0x3030 + n + 246 * ((n / 10) | 0)
