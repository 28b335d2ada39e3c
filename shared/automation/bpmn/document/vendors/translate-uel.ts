const token =
  /\s+|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\d+(?:\.\d+)?|[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*|&&|\|\||[=!<>]=(?!=)|[-+*/%<>!?:,.()[\]]/y

/** Operators that the unified expression language (UEL) writes as words. */
const operators: ReadonlyMap<string, string> = new Map([
  ['and', '&&'],
  ['or', '||'],
  ['not', '!'],
  ['eq', '=='],
  ['ne', '!='],
  ['lt', '<'],
  ['gt', '>'],
  ['le', '<='],
  ['ge', '>='],
  ['div', '/'],
  ['mod', '%'],
])

/** Methods of values, by name: what they are in JavaScript. */
const methods: ReadonlyMap<string, (owner: string, given: string) => string> = new Map([
  ['size', (owner) => `${owner}.length`],
  ['length', (owner) => `${owner}.length`],
  ['isEmpty', (owner) => `(${owner}.length == 0)`],
  ['get', (owner, given) => `${owner}[${given}]`],
  ['concat', (owner, given) => `${owner}.concat(${given})`],
  ['trim', (owner) => `${owner}.trim()`],
  ['equals', (owner, given) => `(${owner} == (${given}))`],
  ['contains', (owner, given) => `${owner}.includes(${given})`],
  ['startsWith', (owner, given) => `${owner}.startsWith(${given})`],
  ['endsWith', (owner, given) => `${owner}.endsWith(${given})`],
  ['toLowerCase', (owner) => `${owner}.toLowerCase()`],
  ['toUpperCase', (owner) => `${owner}.toUpperCase()`],
  ['toString', (owner) => `String(${owner})`],
])

/**
 * Translates the inside of a `${...}` of UEL, as Camunda 7 and Flowable write it, to JavaScript of the same meaning:
 * names, literals, operators, `empty`, and the usual methods of texts and lists. Undefined for anything else, such as a
 * call of a Java bean.
 */
export function translateUel(source: string): string | undefined {
  const tokens = tokensOf(source)
  return tokens && translate(tokens, 0, tokens.length)
}

function tokensOf(source: string): string[] | undefined {
  const tokens: string[] = []
  token.lastIndex = 0
  while (token.lastIndex < source.length) {
    const found = token.exec(source)
    if (found === null) return undefined
    tokens.push(found[0])
  }
  return tokens.filter((one) => one.trim() !== '')
}

/** Names of variables there, and no names in JavaScript. */
const reserved: ReadonlySet<string> = new Set(
  'await break case catch class const continue debugger default delete do else enum export extends finally for function if implements import in interface let new package private protected public return static super switch this throw try typeof var void while with yield'.split(
    ' ',
  ),
)

const nameOf = (path: string): string => (reserved.has(path.split('.', 1)[0] ?? '') ? `variables.${path}` : path)

const isName = (text: string): boolean => /^[A-Za-z_$]/.test(text)

function translate(tokens: readonly string[], from: number, to: number): string | undefined {
  const made: string[] = []
  for (let at = from; at < to; at++) {
    const text = tokens[at] ?? ''
    const next = tokens[at + 1]
    if (text === 'empty') {
      const operand = next !== undefined && isName(next) && tokens[at + 2] !== '(' ? next : undefined
      if (operand === undefined) return undefined
      const named = nameOf(operand)
      made.push(`(${named} == null || ${named} === "" || ${named}.length === 0)`)
      at++
    } else if (operators.has(text)) made.push(operators.get(text) as string)
    else if (isName(text) && next === '(' && at + 1 < to) {
      const close = closing(tokens, at + 1, to)
      const given = close === undefined ? undefined : translate(tokens, at + 2, close)
      const called = given === undefined ? undefined : call(text, given)
      if (called === undefined || close === undefined) return undefined
      made.push(called)
      at = close
    } else if (/^execution(?:\.|$)/.test(text)) return undefined
    else if (text === '(' && /^[\])]$/.test(tokens[at - 1] ?? '')) return undefined
    else made.push(nameOf(text))
  }
  return made.join(' ').replaceAll(/ (?=[.[\]),])|(?<=[.[(!]) /g, '')
}

function call(path: string, given: string): string | undefined {
  if (path === 'execution.getVariable') return /^(['"])[A-Za-z_$][\w$]*\1$/.test(given) ? variable(given) : undefined
  if (path === 'execution.hasVariable')
    return /^(['"])[A-Za-z_$][\w$]*\1$/.test(given) ? `(${variable(given)} != null)` : undefined
  const dot = path.lastIndexOf('.')
  return dot > 0 ? methods.get(path.slice(dot + 1))?.(nameOf(path.slice(0, dot)), given) : undefined
}

const variable = (quoted: string): string => `variables.${quoted.slice(1, -1)}`

function closing(tokens: readonly string[], open: number, to: number): number | undefined {
  let depth = 0
  for (let at = open; at < to; at++) {
    if (tokens[at] === '(') depth++
    else if (tokens[at] === ')' && --depth === 0) return at
  }
  return undefined
}
