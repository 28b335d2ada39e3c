/*
 * The text of an article: Markdown as far as the editor writes it, so that the API, excerpts and the search have plain
 * text. It is read into blocks, of which elements are made; no text becomes markup. Reading takes time linear in its length.
 */

export type Inline =
  | string
  | { readonly kind: 'strong' | 'em'; readonly content: readonly Inline[] }
  | { readonly kind: 'link'; readonly href: string; readonly content: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'break' }

export type Block =
  | { readonly kind: 'heading'; readonly level: 2 | 3; readonly content: readonly Inline[] }
  | { readonly kind: 'paragraph' | 'quote'; readonly content: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Inline[])[] }

const linkTarget = /^(?:https?:\/\/|mailto:|tel:)\S+$/i
/** Whether a link may lead there. */
export const isLinkTarget = (href: string): boolean => linkTarget.test(href)

/** What a line begins with, besides plain text. */
const lineKinds = [
  ['fence', /^```/],
  ['heading', /^#{1,6} +/],
  ['bullet', /^[-*] +/],
  ['number', /^\d{1,9}[.)] +/],
  ['quote', /^> ?/],
] as const
type LineKind = (typeof lineKinds)[number][0] | 'text' | 'blank'

function lineKind(line: string): readonly [LineKind, string] {
  if (line.trim() === '') return ['blank', '']
  const found = lineKinds.find(([, pattern]) => pattern.test(line))
  return found ? [found[0], line.replace(found[1], '')] : ['text', line]
}

/** Reads the text of an article. */
export function readArticle(text: string): readonly Block[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const blocks: Block[] = []
  for (let at = 0; at < lines.length;) {
    const line = lines[at] as string
    const [kind, rest] = lineKind(line)
    if (kind === 'blank') {
      at += 1
    } else if (kind === 'heading') {
      blocks.push({ kind, level: line.startsWith('###') ? 3 : 2, content: readInline(rest) })
      at += 1
    } else if (kind === 'fence') {
      const end = lines.findIndex((one, index) => index > at && one.startsWith('```'))
      blocks.push({ kind: 'code', text: lines.slice(at + 1, end === -1 ? lines.length : end).join('\n') })
      at = end === -1 ? lines.length : end + 1
    } else {
      const run: string[] = []
      for (; at < lines.length; at += 1) {
        const [next, content] = lineKind(lines[at] as string)
        if (next !== kind) break
        run.push(content)
      }
      blocks.push(blockOf(kind, run))
    }
  }
  return blocks
}

function blockOf(kind: Exclude<LineKind, 'blank' | 'heading' | 'fence'>, lines: readonly string[]): Block {
  if (kind === 'bullet' || kind === 'number')
    return { kind: 'list', isOrdered: kind === 'number', items: lines.map((line) => readInline(line)) }
  return { kind: kind === 'quote' ? 'quote' : 'paragraph', content: readInline(lines.join('\n')) }
}

/** Bold in italics in a link: deeper than that is plain text. */
const maxDepth = 3

/** Reads what stands in one block. */
function readInline(text: string, depth = 0): readonly Inline[] {
  const found: Inline[] = []
  /** Delimiters that no closing one follows any more: each is looked for once. */
  const unclosed = new Set<string>()
  let plain = ''
  const push = (one: Inline): void => {
    if (plain !== '') found.push(plain)
    plain = ''
    found.push(one)
  }
  const closing = (mark: string, from: number): number => {
    if (unclosed.has(mark)) return -1
    let end = text.indexOf(mark, from)
    while (end !== -1 && text[end - 1] === '\\') end = text.indexOf(mark, end + 1)
    if (end === -1) unclosed.add(mark)
    return end
  }
  for (let at = 0; at < text.length;) {
    const [one = '', next] = [text[at], text[at + 1]]
    if (one === '\\' && next !== undefined && /[\\*`[\]#<>.()-]/.test(next)) {
      plain += next
      at += 2
      continue
    }
    if (one === '\n') {
      push({ kind: 'break' })
      at += 1
      continue
    }
    const mark = one === '*' ? (next === '*' ? '**' : '*') : one === '`' ? '`' : undefined
    const begin = at + (mark?.length ?? 0)
    const end = mark !== undefined && /\S/.test(text[begin] ?? ' ') ? closing(mark, begin + 1) : -1
    if (mark !== undefined && end !== -1 && /\S/.test(text[end - 1] as string) && depth < maxDepth) {
      const inside = text.slice(begin, end)
      if (mark === '`') push({ kind: 'code', text: inside })
      else push({ kind: mark === '*' ? 'em' : 'strong', content: readInline(inside, depth + 1) })
      at = end + mark.length
      continue
    }
    const link = one === '[' && depth < maxDepth ? linkAt(text, at, closing) : undefined
    if (link) {
      push({ kind: 'link', href: link.href, content: readInline(link.label, depth + 1) })
      at = link.end
      continue
    }
    plain += mark ?? one
    at += mark?.length ?? 1
  }
  if (plain !== '') found.push(plain)
  return found
}

function linkAt(text: string, at: number, closing: (mark: string, from: number) => number) {
  const middle = closing('](', at + 1)
  const end = middle === -1 ? -1 : closing(')', middle + 2)
  if (end === -1) return undefined
  const [label, href] = [text.slice(at + 1, middle), text.slice(middle + 2, end)]
  return label === '' || label.includes('\n') || !isLinkTarget(href) ? undefined : { label, href, end: end + 1 }
}
