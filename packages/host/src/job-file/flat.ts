const LONGEST_COPY = 12

/** Copies the text: a slice would keep the whole file it was cut from in memory. */
export const flat = (text: string): string =>
  text.length <= LONGEST_COPY ? text : Buffer.from(text, 'utf8').toString('utf8')
