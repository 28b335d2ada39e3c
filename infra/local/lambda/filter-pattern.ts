/**
 * Event filter patterns (FilterCriteria of an event source mapping), compiled to predicates. Objects nest; a leaf is
 * a list of alternatives: a literal, `prefix`, `suffix`, `equals-ignore-case`, `exists`, `anything-but`, `numeric`.
 */
type Predicate = (value: unknown) => boolean
type Leaf = Record<string, unknown> | string | number | boolean | null

/** Compiles one pattern, given as JSON text. Throws on an unknown matcher. */
export function compilePattern(pattern: string): Predicate {
  return compileObject(JSON.parse(pattern) as Record<string, unknown>)
}

/** Matches when any pattern matches, or when there is none. */
export function compileFilters(patterns: readonly string[]): Predicate {
  const predicates = patterns.map(compilePattern)
  return predicates.length === 0 ? () => true : (event) => predicates.some((matches) => matches(event))
}

function compileObject(pattern: Record<string, unknown>): Predicate {
  const members = Object.entries(pattern).map(([name, wanted]): Predicate => {
    if (name === '$or') {
      const alternatives = (wanted as Record<string, unknown>[]).map(compileObject)
      return (value) => alternatives.some((matches) => matches(value))
    }
    const matches = Array.isArray(wanted)
      ? compileLeaf(wanted as Leaf[])
      : compileObject(wanted as Record<string, unknown>)
    return (value) => matches(member(value, name))
  })
  return (value) => members.every((matches) => matches(value))
}

/** A list in the event matches when one of its items does. */
function compileLeaf(alternatives: readonly Leaf[]): Predicate {
  const predicates = alternatives.map(compileMatcher)
  return (value) => {
    const candidates = Array.isArray(value) ? value : [value]
    return predicates.some((matches) => candidates.some(matches))
  }
}

function compileMatcher(matcher: Leaf): Predicate {
  if (typeof matcher !== 'object' || matcher === null) return (value) => value === matcher
  const [kind, operand] = Object.entries(matcher)[0] ?? []
  switch (kind) {
    case 'exists':
      return (value) => (value !== undefined && !isObject(value)) === operand
    case 'prefix':
      return (value) => typeof value === 'string' && value.startsWith(String(operand))
    case 'suffix':
      return (value) => typeof value === 'string' && value.endsWith(String(operand))
    case 'equals-ignore-case':
      return (value) => typeof value === 'string' && value.toLowerCase() === String(operand).toLowerCase()
    case 'anything-but': {
      const excluded = (Array.isArray(operand) ? operand : [operand]).map((item) => compileMatcher(item as Leaf))
      return (value) => value !== undefined && !excluded.some((matches) => matches(value))
    }
    case 'numeric':
      return compileNumeric(operand as (string | number)[])
    default:
      throw new Error(`The local cloud knows no filter matcher "${kind}".`)
  }
}

function compileNumeric(terms: readonly (string | number)[]): Predicate {
  const comparisons = Array.from({ length: terms.length / 2 }, (_, at) =>
    compare(String(terms[2 * at]), Number(terms[2 * at + 1])),
  )
  return (value) => typeof value === 'number' && comparisons.every((holds) => holds(value))
}

function compare(operator: string, bound: number): (value: number) => boolean {
  switch (operator) {
    case '=':
      return (value) => value === bound
    case '<':
      return (value) => value < bound
    case '<=':
      return (value) => value <= bound
    case '>':
      return (value) => value > bound
    case '>=':
      return (value) => value >= bound
    default:
      throw new Error(`The local cloud knows no numeric operator "${operator}".`)
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const member = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
