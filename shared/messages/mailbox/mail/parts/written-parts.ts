/** A part of a mail that is shown to its reader: a text, HTML, or several ways of saying the same. */
export type Written =
  | { readonly kind: 'text'; readonly content: string }
  | { readonly kind: 'html'; readonly content: string }
  | { readonly kind: 'alternatives'; readonly ways: readonly (readonly Written[])[] }

/** A part as mailparser keeps it; what its types leave out. */
export interface ParsedNode {
  readonly contentType?: string
  readonly textContent?: string
  readonly children?: readonly ParsedNode[]
  /** An attached mail whose text is shown with that of the mail: its headers are shown as well. */
  readonly showMeta?: boolean
  readonly headers?: ReadonlyMap<string, unknown>
}

/** What the parts of a mail say, in their order. Those that are files say nothing. */
export function writtenIn(node: ParsedNode): readonly Written[] {
  const { contentType, textContent, children = [] } = node
  const own: Written[] = node.showMeta ? [{ kind: 'text', content: headOf(node) }] : []
  if (textContent && contentType === 'text/plain') own.push({ kind: 'text', content: textContent })
  if (textContent && contentType === 'text/html') own.push({ kind: 'html', content: textContent })
  const inner = children.map(writtenIn).filter((one) => one.length > 0)
  if (contentType === 'multipart/alternative' && inner.length > 1)
    return [...own, { kind: 'alternatives', ways: inner }]
  return [...own, ...inner.flat()]
}

const shownHeaders = ['From', 'Subject', 'Date', 'To', 'Cc']

/** The headers of an attached mail as lines. */
function headOf({ headers = new Map<string, unknown>() }: ParsedNode): string {
  const lines = shownHeaders.flatMap((name) => {
    const value = [headers.get(name.toLowerCase()) ?? []].flat().at(-1)
    if (value instanceof Date) return [`${name}: ${value.toUTCString()}`]
    const text = typeof value === 'string' ? value : (value as { readonly text?: unknown } | undefined)?.text
    return typeof text === 'string' && text !== '' ? [`${name}: ${text}`] : []
  })
  return lines.join('\n')
}

/** A text that only says that there is HTML for whoever can show it, in whatever language. */
const maxPlaceholderCharacters = 400

/** Which of two ways of saying the same says more: the text of a mail, or that of its HTML. */
export function saysMore(text: string, ofHtml: string): 'text' | 'html' {
  const [inText, inHtml] = [wordsOf(text), wordsOf(ofHtml)]
  if (inHtml.size === 0) return 'text'
  const isPlaceholder =
    text.length <= maxPlaceholderCharacters && ['html', 'mime'].some((word) => inText.has(word) && !inHtml.has(word))
  if (inText.size === 0 || isPlaceholder) return 'html'
  const missing = [...inHtml].filter((word) => !inText.has(word)).length
  const more = [...inText].filter((word) => !inHtml.has(word)).length
  return missing > more && missing >= Math.max(2, inText.size / 5) ? 'html' : 'text'
}

const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .replaceAll(/https?:\S+|<[^<>]{0,300}>/g, ' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu),
  )
