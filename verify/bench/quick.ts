/** Whether fewer rounds and smaller sizes are enough: `--quick`. Its figures are never kept. */
export const quick = process.argv.includes('--quick') || process.env['KRON_BENCH_QUICK'] === '1'

/** The larger number for a complete run, the smaller one for a quick one. */
export const sized = (complete: number, few: number): number => (quick ? few : complete)

/** The sizes up to 100,000 for a quick run. */
export const sizes = (all: readonly number[]): readonly number[] =>
  quick ? all.filter(each => each <= 100_000) : all
