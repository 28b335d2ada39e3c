/** A text of a template that may be an expression. Its JavaScript is checked once, when the template is saved. */
export type ParsedText =
  | { readonly kind: 'literal'; readonly text: string }
  /** JavaScript. Its value has any type when the text is one `${...}`, and is a string when the text is mixed. */
  | { readonly kind: 'expression'; readonly source: string }

/**
 * Parses a text: `done` is a literal, `${record.status}` an expression of any type, `PT${record.hours}H` an expression
 * that builds a string, with nothing in place of null and undefined. Needs no JavaScript parser.
 * @throws SyntaxError when a `${` is not closed or is empty.
 */
export function parseExpression(text: string): ParsedText {
  const parts = partsOf(text)
  if (parts.every(({ isCode }) => !isCode)) return { kind: 'literal', text }
  const [only, ...more] = parts.filter((part) => part.isCode || part.text.trim() !== '')
  if (only !== undefined && more.length === 0) return { kind: 'expression', source: only.text }
  if (parts.some((part) => part.isCode && feelOf(part.text) !== undefined))
    throw new SyntaxError('An expression in FEEL must be the whole text: join texts with + inside of it')
  // Array.join skips null and undefined; a template literal would write their names.
  return {
    kind: 'expression',
    source: `[${parts.map((part) => (part.isCode ? `(${part.text}\n)` : JSON.stringify(part.text))).join(',')}].join("")`,
  }
}

/** The JavaScript of a condition, written bare or as `${...}` (some editors write `#{...}`). */
export function expressionOf(text: string): string {
  const trimmed = text.trim()
  if (!/^[$#]\{/.test(trimmed)) return trimmed
  return endOfCode(trimmed, 2) === trimmed.length - 1 ? trimmed.slice(2, -1).trim() : trimmed
}

/** The FEEL of an expression that begins with `=`; undefined for JavaScript. */
export const feelOf = (source: string): string | undefined =>
  /^=(?!=)/.test(source) ? source.slice(1).trim() : undefined

/** Splits a text like `agent, ${record.role}` at its commas, except those inside expressions. Drops blank items. */
export function splitList(text: string): string[] {
  const items = ['']
  for (const part of partsOf(text)) {
    const [first = '', ...more] = part.isCode ? [`\${${part.text}}`] : part.text.split(',')
    items[items.length - 1] += first
    items.push(...more)
  }
  return items.map((item) => item.trim()).filter((item) => item !== '')
}

interface Part {
  readonly isCode: boolean
  readonly text: string
}

function partsOf(text: string): Part[] {
  const parts: Part[] = []
  let at = 0
  for (let open = text.indexOf('${'); open !== -1; open = text.indexOf('${', at)) {
    const close = endOfCode(text, open + 2)
    if (close === -1) throw new SyntaxError('A ${ is not closed by }')
    const code = text.slice(open + 2, close).trim()
    if (code === '') throw new SyntaxError('There is nothing between ${ and }')
    if (open > at) parts.push({ isCode: false, text: text.slice(at, open) })
    parts.push({ isCode: true, text: code })
    at = close + 1
  }
  if (at < text.length) parts.push({ isCode: false, text: text.slice(at) })
  return parts
}

/** The index of the brace that closes the code before `from`, or -1. Braces in strings do not count. */
function endOfCode(text: string, from: number): number {
  // What closes each open level: `}` for code, a quote for a string.
  const open = ['}']
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at)
    const inside = open.at(-1)
    if (inside === '}') {
      if (character === '}') open.pop()
      else if (character === '{') open.push('}')
      else if (character === '"' || character === "'" || character === '`') open.push(character)
    } else if (character === '\\') at++
    else if (character === inside) open.pop()
    else if (inside === '`' && text.startsWith('${', at)) {
      open.push('}')
      at++
    }
    if (open.length === 0) return at
  }
  return -1
}

/** The names of JavaScript that a document may use. */
export const isJavaScript = (language: string): boolean =>
  /^(?:(?:application|text)\/)?(?:x-)?(?:javascript|ecmascript|js)$/i.test(language.trim())

/** The names of FEEL that a document may use. */
export const isFeel = (language: unknown): boolean =>
  typeof language === 'string' && /(?:^|[/:])(?:s-)?feel\b|\/DMN\/.*FEEL/i.test(language.trim())
