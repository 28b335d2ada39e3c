import { type Compare, compareScalars, foldCase, type Scalar } from './scalar.ts'

/** A test of one value. A record without a value passes none of them; only a `not` matches missing values. */
export type Predicate =
  | { readonly op: 'equals'; readonly value: Scalar }
  | { readonly op: 'among'; readonly values: readonly Scalar[] }
  | { readonly op: 'less' | 'at_most' | 'greater' | 'at_least'; readonly value: Scalar; readonly compare?: Compare }
  | { readonly op: 'between'; readonly from: Scalar; readonly to: Scalar; readonly compare?: Compare }
  /** Of several values: exactly these, or at least these. */
  | { readonly op: 'exactly' | 'including'; readonly values: readonly Scalar[] }
  | { readonly op: 'present' }
  /** Has a value that is not the empty text. */
  | { readonly op: 'filled' }
  | { readonly op: 'contains' | 'starts' | 'ends' | 'same'; readonly text: string; readonly folded: boolean }

/** A predicate with its test of one value, compiled once for many. */
export interface ColumnTest {
  readonly predicate: Predicate
  /** The text that is looked for, in lower case where that is folded; undefined for other tests. */
  readonly wanted?: string
  /** Tells this test of texts from others. */
  readonly name?: string
  passes(value: Scalar): boolean
  /** For tests of several values as a whole; without it one of them must pass. */
  passesAll?(values: readonly Scalar[]): boolean
}

export function columnTest(predicate: Predicate): ColumnTest {
  const passes = compile(predicate)
  if (predicate.op === 'exactly' || predicate.op === 'including')
    return { predicate, passes, passesAll: (values) => holdsAll(predicate, values) }
  if (!('text' in predicate)) return { predicate, passes }
  const { op, text, folded } = predicate
  const wanted = folded ? foldCase(text) : text
  return { predicate, wanted, name: `${op} ${folded} ${wanted}`, passes }
}

function compile(predicate: Predicate): (value: Scalar) => boolean {
  switch (predicate.op) {
    case 'equals': {
      const { value: wanted } = predicate
      return (value) => value === wanted
    }
    case 'among': {
      const wanted = new Set(predicate.values)
      return (value) => wanted.has(value)
    }
    case 'less':
    case 'at_most':
    case 'greater':
    case 'at_least': {
      const { op, value: limit, compare = compareScalars } = predicate
      if (op === 'less') return (value) => compare(value, limit) < 0
      if (op === 'at_most') return (value) => compare(value, limit) <= 0
      return op === 'greater' ? (value) => compare(value, limit) > 0 : (value) => compare(value, limit) >= 0
    }
    case 'between': {
      const { from, to, compare = compareScalars } = predicate
      return (value) => compare(value, from) >= 0 && compare(value, to) <= 0
    }
    case 'exactly':
    case 'including':
      return (value) => holdsAll(predicate, [value])
    case 'present':
      return () => true
    case 'filled':
      return (value) => value !== ''
    case 'contains':
    case 'starts':
    case 'ends':
    case 'same':
      return textTest(predicate)
  }
}

function holdsAll(
  { op, values: wanted }: Extract<Predicate, { op: 'exactly' | 'including' }>,
  values: readonly Scalar[],
): boolean {
  if (op === 'exactly' && new Set(wanted).size !== values.length) return false
  return wanted.every((one) => values.includes(one))
}

/** Whether a record's value passes; several do when one of them does, unless the test is of them as a whole. */
export function passesValue(value: Scalar | readonly Scalar[] | null | undefined, test: ColumnTest): boolean {
  if (value === null || value === undefined) return false
  if (typeof value !== 'object') return test.passes(value)
  return test.passesAll ? test.passesAll(value) : value.some(test.passes)
}

function textTest({ op, text, folded }: Extract<Predicate, { text: string }>): (value: Scalar) => boolean {
  const wanted = folded ? foldCase(text) : text
  const read = folded ? (value: Scalar) => foldCase(String(value)) : String
  switch (op) {
    case 'contains':
      return (value) => read(value).includes(wanted)
    case 'starts':
      return (value) => read(value).startsWith(wanted)
    case 'ends':
      return (value) => read(value).endsWith(wanted)
    case 'same':
      return (value) => read(value) === wanted
  }
}
