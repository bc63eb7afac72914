/** The inputs of the engine's benchmarks, the same in every run. */
export const ZONES = ['UTC', 'Europe/Paris', 'America/New_York']
export const LEAP_DAY = '0 0 29 2 *'
export const EXPRESSIONS = ['* * * * *', '*/5 9-17 * * 1-5', LEAP_DAY, '30 2 * * 0']
export const SUCCESSIVE = 1_000
/** Up to 2096: cron-schedule gives up on the eight years without one that follow. */
export const LEAP_DAYS = 18

/** Instants from 2020 to 2030, in an order that no branch predictor learns. */
export const SECONDS: readonly number[] = Array.from({ length: 1_024 }, (_, i) => {
  const mixed = Math.imul(i + 1, 0x9e3779b1) >>> 0
  return 1_577_836_800 + Math.floor((mixed / 2 ** 32) * 315_619_200)
})
