interface FoldOptions {
  readonly label: string
  /** What is new in the mail, where that is known. */
  readonly textNew: string | undefined
}

/**
 * Folds what a mail quotes, so that what is new is seen first: each quote, and what stands below the copied headers of another
 * mail, becomes a part that opens by a click, without any script. What the writer wrote into a quote keeps it open, and a mail
 * that is nothing but quotes stays as it is.
 */
export function foldQuotes(content: DocumentFragment, target: Document, { label, textNew }: FoldOptions): void {
  const headers = copiedHeaders(content)
  const below = headers && !headers.closest('blockquote') ? partFrom(headers, content) : undefined
  const quotes = [...content.querySelectorAll('blockquote')].filter(
    (quote) =>
      !quote.parentElement?.closest('blockquote') && quote.textContent.trim() !== '' && !below?.intersectsNode(quote),
  )
  const texts = [...quotes.map((quote) => quote.textContent), ...(below ? [below.toString()] : [])]
  const whole = content.textContent ?? ''
  if (plain(whole).length <= plain(texts.join('')).length) return
  const isOwn = ownLines(textNew ?? '', texts, whole)
  for (const quote of quotes) {
    if (isOwn(quote.textContent)) continue
    const details = opened()
    quote.replaceWith(details)
    details.append(quote)
  }
  if (!below || isOwn(below.toString())) return
  const rest = opened()
  rest.append(below.extractContents())
  content.append(rest)

  function opened(): HTMLDetailsElement {
    const details = target.createElement('details')
    const summary = target.createElement('summary')
    summary.textContent = label
    details.append(summary)
    return details
  }
}

const plain = (text: string): string => text.replaceAll(/\s+/g, '').toLowerCase()

/** Tells of a quote whether a line that the writer wrote stands in it, and nowhere else. */
function ownLines(textNew: string, quotes: readonly string[], whole: string): (quote: string) => boolean {
  const all = plain(whole)
  const outside = quotes.reduce((text, quote) => text.replace(plain(quote), ' '), all)
  const lines = textNew.split('\n').map(plain)
  const within = lines.filter((line) => line.length > 3 && !outside.includes(line))
  return (quote) => within.some((line) => plain(quote).includes(line))
}

/** The element that begins with the headers of another mail, as Outlook copies them: at least three names in bold. */
function copiedHeaders(content: DocumentFragment): Element | undefined {
  return [...content.querySelectorAll('div, p, td')].find((element) => {
    const names = [...element.querySelectorAll('b, strong')].filter((name) =>
      /^\p{L}[\p{L} -]{0,25}:$/u.test(text(name)),
    )
    return names.length >= 3 && text(element).startsWith(text(names[0] as Element)) && text(element).length < 4000
  })
}
const text = (element: Element): string => element.textContent.replaceAll('\u00a0', ' ').trim()

/** From an element, and the line above it, to the end. */
function partFrom(element: Element, content: DocumentFragment): Range {
  const range = content.ownerDocument.createRange()
  const before = element.previousElementSibling
  range.setStartBefore(before?.localName === 'hr' ? before : element)
  range.setEndAfter(content.lastChild as ChildNode)
  return range
}
