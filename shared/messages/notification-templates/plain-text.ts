import type { FormatCallback } from 'html-to-text'
import { maxPlainTextCharacters } from '../../kernel/limits/messages.ts'

/** Where parts of the mail were left out. */
const cut = '…'

/** A space before the cells of a row but the first, so that `Status` and `open` do not become one word. */
const cell: FormatCallback = (element, walk, builder) => {
  builder.addInline(' ')
  walk(element.children, builder)
}

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } }))

/**
 * The plain text of an HTML mail: lines of at most `lineCharacters` (null: as long as its paragraphs), links with their
 * address, no images. At most 256 K characters are read and answered; elements nested deeper than 100 are left out.
 */
export async function plainText(html: string, lineCharacters: number | null = 78): Promise<string> {
  // Loaded when a mail is rendered: functions that only find templates start without it.
  const { convert } = await import('html-to-text')
  const text = convert(html.slice(0, maxPlainTextCharacters), {
    wordwrap: lineCharacters,
    limits: { maxDepth: 100, maxChildNodes: 20_000, ellipsis: cut },
    formatters: { cell },
    selectors: [
      { selector: 'title', format: 'skip' },
      { selector: 'img', format: 'skip' },
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
      { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
      { selector: 'td', format: 'cell' },
      { selector: 'th', format: 'cell' },
      ...headings,
    ],
  })
  const isCut = html.length > maxPlainTextCharacters || text.length > maxPlainTextCharacters
  return isCut ? `${text.slice(0, maxPlainTextCharacters).toWellFormed()}\n${cut}` : text
}
