import { visible } from '../visible.ts'

/**
 * A remark of `krontab import` or `kronctl convert` about one line of the text that it converts.
 * `lost`: something of the original is not carried over. `changed`: it is, but behaves differently.
 */
export interface Remark {
  readonly file: string
  /** From 1; 0 means the file as a whole. */
  readonly line: number
  readonly kind: 'lost' | 'changed'
  readonly message: string
}

/** Collects the remarks about one file. */
export class Remarks {
  readonly list: Remark[] = []
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  lost(line: number, message: string): undefined {
    this.list.push({ file: this.#file, line, kind: 'lost', message })
  }

  changed(line: number, message: string): void {
    this.list.push({ file: this.#file, line, kind: 'changed', message })
  }
}

/** `FILE:LINE: lost: why`, safe for a terminal. */
export const remarkText = ({ file, line, kind, message }: Remark): string =>
  `${file}${line === 0 ? '' : `:${line}`}: ${kind}: ${visible(message)}`
