/**
 * Texts of a template that may be expressions. Both rooms use this, the one that compiles and the one that runs: it needs no
 * parser, and whether the JavaScript inside is well-formed is checked once, when a template is saved.
 */
export type ParsedText =
  | { readonly kind: 'literal'; readonly text: string }
  /** JavaScript whose value is meant: with its type when the text is one `${...}`, a string when it is mixed. */
  | { readonly kind: 'expression'; readonly source: string }

/**
 * What a text means: `done` is a literal, `${record.status}` an expression of any type, `PT${record.hours}H` a string put
 * together, in which null and undefined leave nothing.
 * @throws SyntaxError when a `${` is not closed or holds nothing.
 */
export function parseExpression(text: string): ParsedText {
  const parts = partsOf(text)
  if (parts.every(({ isCode }) => !isCode)) return { kind: 'literal', text }
  const [only, ...more] = parts.filter((part) => part.isCode || part.text.trim() !== '')
  if (only !== undefined && more.length === 0) return { kind: 'expression', source: only.text }
  // Array.join writes nothing for null and undefined, where a template literal would write their names.
  return {
    kind: 'expression',
    source: `[${parts.map((part) => (part.isCode ? `(${part.text}\n)` : JSON.stringify(part.text))).join(',')}].join("")`,
  }
}

/** The JavaScript of a condition, which may be written bare or as `${...}` (or `#{...}`, as some editors do). */
export function expressionOf(text: string): string {
  const trimmed = text.trim()
  if (!/^[$#]\{/.test(trimmed)) return trimmed
  return endOfCode(trimmed, 2) === trimmed.length - 1 ? trimmed.slice(2, -1).trim() : trimmed
}

/** The items of a text like `agent, ${record.role}`; commas inside of expressions part nothing. Blank items are dropped. */
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

/** Where the brace stands that closes the code begun before `from`; -1 when none does. Braces in strings do not count. */
function endOfCode(text: string, from: number): number {
  // What is open: `}` a brace of code, or the quote of a string.
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
