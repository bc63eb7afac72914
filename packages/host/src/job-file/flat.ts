const LONGEST_COPY = 12

/** A text of its own: a longer slice would keep the text it was cut from alive, which is a whole file. */
export const flat = (text: string): string =>
  text.length <= LONGEST_COPY ? text : Buffer.from(text, 'utf8').toString('utf8')
