/** The time to wait after so many failures in a row: `first` after one, then twice as long each time, up to `longest`. */
export const backoff = (failures: number, first: number, longest: number): number =>
  Math.min(longest, first * 2 ** Math.min(failures - 1, 30))
