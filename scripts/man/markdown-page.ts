import { withoutComments } from '../docs/blocks.ts'
import { bold, example, heading, item, literal, page, paragraph } from './roff.ts'

/** A man page of a document that keeps to headings, paragraphs, lists, tables and fenced examples. */
export function markdownPage(
  name: string,
  section: number,
  version: string,
  summary: string,
  markdown: string,
  seeAlso: readonly string[],
): string {
  const blocks: string[] = [heading('Name'), `${literal(name)} \\- ${literal(summary)}`]
  const body = withoutComments(markdown)
    .split(/\n{2,}|\n(?=```|## )/)
    .map(block => block.trim())
  for (let i = 0; i < body.length; i++) {
    let block = body[i]!
    if (block.startsWith('```')) {
      while (!/\n```$/.test(block) && i + 1 < body.length) block += `\n\n${body[++i]}`
      blocks.push(example(block.replace(/^```.*\n/, '').replace(/\n?```$/, '')))
    } else blocks.push(blockText(block))
  }
  blocks.push(heading('See also'), seeAlso.map(each => bold(each.slice(0, -3)) + each.slice(-3)).join(',\n'))
  return page(name, section, version, blocks)
}

function blockText(block: string): string {
  if (block.startsWith('# ')) return heading('Description')
  if (block.startsWith('## ')) return heading(block.slice(3).replaceAll('`', ''))
  if (block.startsWith('|')) return tableText(block)
  if (/^[-*] /.test(block)) {
    return block
      .split(/\n(?=[-*] )/)
      .map(line => item('\\(bu', inline(line.slice(2).replaceAll('\n', ' '))))
      .join('\n')
  }
  return block === '' ? '' : paragraph(inline(block))
}

function tableText(block: string): string {
  const [head = [], , ...rows] = block.split('\n').map(line =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map(cell => cell.trim().replaceAll('\\|', '|')),
  )
  return rows
    .map(([term = '', text = '', otherwise = '']) => {
      const last = otherwise === '' ? '' : ` (${head[2]}: ${otherwise})`
      return item(inline(term), inline(`${text}${last}`))
    })
    .join('\n')
}

/** Code and bold become bold; links keep their text. */
const inline = (text: string): string =>
  text
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
    .map(part =>
      part.startsWith('`')
        ? bold(part.slice(1, -1))
        : part.startsWith('**')
          ? bold(part.slice(2, -2))
          : literal(part),
    )
    .join('')
    .replace(/^([.'])/gm, '\\&$1')
