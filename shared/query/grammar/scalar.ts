/** What values compare as. A datetime is text of one form, so that its order is the order of its characters. */
export type ValueKind = 'text' | 'number' | 'boolean' | 'date' | 'datetime' | 'point'
export type Scalar = string | number | boolean

/** Order of two values of one kind: text by code points, as the bytes of an index are, false before true. */
export function compareScalars(a: Scalar, b: Scalar): number {
  if (a === b) return 0
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  return a < b ? -1 : 1
}

/** Order by code points. JavaScript's own goes by UTF-16 units, where U+1F600 stands before U+FF01. */
export function compareText(a: string, b: string): number {
  const shared = Math.min(a.length, b.length)
  for (let index = 0; index < shared; index += 1) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

/** Surrogates stand for code points above all others. */
const rank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800)

/** Case does not count; the language of the text is not known, so no language's rules apply. */
export const foldCase = (text: string): string => text.toLowerCase()
