/** One value of a field. Dates and datetimes are text of a fixed form, which orders by its characters. */
export type Scalar = string | number | boolean
/** What a record has in a field: null for nothing, several values for a field of several files. */
export type Value = Scalar | readonly Scalar[] | null

/** Less than 0 when `a` comes before `b`. */
export type Compare = (a: Scalar, b: Scalar) => number

/** Compares two values of one kind: text by code points, as the bytes of an index; false before true. */
export function compareScalars(a: Scalar, b: Scalar): number {
  if (a === b) return 0
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  return a < b ? -1 : 1
}

/** Compares by code points. JavaScript compares UTF-16 units, where U+1F600 comes before U+FF01. */
export function compareText(a: string, b: string): number {
  const shared = Math.min(a.length, b.length)
  for (let index = 0; index < shared; index += 1) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (left !== right) return rankOfUnit(left) - rankOfUnit(right)
  }
  return a.length - b.length
}

/** The place of a UTF-16 unit in the order of code points: surrogates encode those above all others. */
export const rankOfUnit = (unit: number): number =>
  unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800

/** Lower case without the rules of a language: the language of the text is not known. */
export const foldCase = (text: string): string => text.toLowerCase()
