/** Text made safe for roff: nothing in it is a request, an escape or a hyphen that is no minus. */
export const literal = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1')

export const heading = (title: string): string => `.SH ${literal(title.toUpperCase())}`
export const subheading = (title: string): string => `.SS ${literal(title)}`
export const paragraph = (text: string): string => `.PP\n${text}`

/** A term with its explanation under it. */
export const item = (term: string, text: string): string => `.TP\n${term}\n${text === '' ? '\\&' : text}`

export const example = (lines: string): string => `.PP\n.nf\n.RS 4\n${literal(lines)}\n.RE\n.fi`

export const bold = (text: string): string => `\\fB${literal(text)}\\fR`

export const page = (name: string, section: number, version: string, blocks: readonly string[]): string =>
  `.TH ${name.toUpperCase()} ${section} "" "kron ${version}" "Kron"\n${blocks.filter(block => block !== '').join('\n')}\n`
