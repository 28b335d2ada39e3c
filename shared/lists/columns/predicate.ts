import { compareScalars, foldCase, type Scalar } from './scalar.ts'

/** A test of one value. A record without a value passes none of them; only a `not` matches missing values. */
export type Predicate =
  | { readonly op: 'equals'; readonly value: Scalar }
  | { readonly op: 'among'; readonly values: readonly Scalar[] }
  | { readonly op: 'less' | 'at_most' | 'greater' | 'at_least'; readonly value: Scalar }
  | { readonly op: 'between'; readonly from: Scalar; readonly to: Scalar }
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
}

export function columnTest(predicate: Predicate): ColumnTest {
  const passes = compile(predicate)
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
      return (value) => compareScalars(value, predicate.value) < 0
    case 'at_most':
      return (value) => compareScalars(value, predicate.value) <= 0
    case 'greater':
      return (value) => compareScalars(value, predicate.value) > 0
    case 'at_least':
      return (value) => compareScalars(value, predicate.value) >= 0
    case 'between':
      return (value) => compareScalars(value, predicate.from) >= 0 && compareScalars(value, predicate.to) <= 0
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
