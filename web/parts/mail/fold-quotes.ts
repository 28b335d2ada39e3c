/**
 * Folds what a mail quotes, so that what is new is seen first: each quote becomes a part that opens by a click, without any
 * script. A mail that is nothing but a quote stays as it is.
 */
export function foldQuotes(content: DocumentFragment, target: Document, label: string): void {
  const quotes = [...content.querySelectorAll('blockquote')].filter(
    (quote) => !quote.parentElement?.closest('blockquote') && quote.textContent.trim() !== '',
  )
  const quoted = quotes.reduce((length, quote) => length + quote.textContent.trim().length, 0)
  if (quotes.length === 0 || (content.textContent ?? '').trim().length <= quoted) return
  for (const quote of quotes) {
    const details = target.createElement('details')
    const summary = target.createElement('summary')
    summary.textContent = label
    quote.replaceWith(details)
    details.append(summary, quote)
  }
}
