import { compareText } from '../../columns/service.ts'
import { missingValue, separator } from '../../store/slots.ts'

/**
 * A range of a slot's keys, both ends included. The ends lie between keys, never on one, so that a range ends exactly
 * where the next begins and the complement of ranges is the gaps between them.
 */
export interface Bounds {
  readonly from: string
  readonly to: string
}

/** Above every digit of an id. */
const afterIds = '~'
const lowest = separator
export const firstKey = lowest
const beforeMissing = missingValue
const highest = `${missingValue}${separator}${afterIds}`
export const lastKey = highest

/** Records with a value. */
export const presentKeys: readonly Bounds[] = [{ from: lowest, to: beforeMissing }]
export const missingKeys: Bounds = { from: beforeMissing, to: highest }
export const allKeys: readonly Bounds[] = [{ from: lowest, to: highest }]

/** Before every key of this ordered value, and after the last of them. */
export const before = (ordered: string): string => `${ordered}${separator}`
export const after = (ordered: string): string => `${ordered}${separator}${afterIds}`
/** Every key of one value. */
export const keysOf = (ordered: string): Bounds => ({ from: before(ordered), to: after(ordered) })
export const keysUpTo = (to: string): Bounds => ({ from: lowest, to })
export const keysFrom = (from: string): Bounds => ({ from, to: beforeMissing })

/** Every key whose value begins with this. */
export function keysBeginning(ordered: string): Bounds {
  if (ordered === '') return presentKeys[0] as Bounds
  return { from: ordered, to: successor(ordered) ?? beforeMissing }
}

/** The least text above all that begin with this one. */
function successor(text: string): string | undefined {
  const characters = [...text]
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    const code = last.codePointAt(0) as number
    if (code < 0x10ffff) return characters.join('') + String.fromCodePoint(code === 0xd7ff ? 0xe000 : code + 1)
  }
  return undefined
}

/** Whether all keys of a range have one value, and so are ordered by id. */
export const isOneValue = ({ from, to }: Bounds): boolean => to === `${from}${afterIds}` && from.endsWith(separator)

export const includesMissing = (bounds: readonly Bounds[]): boolean =>
  bounds.some(({ to }) => compareText(to, beforeMissing) > 0)
export const includesAll = (bounds: readonly Bounds[]): boolean =>
  bounds.length === 1 && bounds[0]?.from === lowest && bounds[0].to === highest

const least = (a: string, b: string): string => (compareText(a, b) <= 0 ? a : b)
const greatest = (a: string, b: string): string => (compareText(a, b) >= 0 ? a : b)

/** The union: ranges in order, with adjacent ones joined. */
export function unite(bounds: readonly Bounds[]): readonly Bounds[] {
  const sorted = bounds
    .filter(({ from, to }) => compareText(from, to) < 0)
    .toSorted((a, b) => compareText(a.from, b.from))
  const united: { from: string; to: string }[] = []
  for (const { from, to } of sorted) {
    const last = united.at(-1)
    if (last && compareText(from, last.to) <= 0) last.to = greatest(last.to, to)
    else united.push({ from, to })
  }
  return united
}

/** The intersection; the ranges of each argument are in order. */
export function intersect(a: readonly Bounds[], b: readonly Bounds[]): readonly Bounds[] {
  const common: Bounds[] = []
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const [left, right] = [a[i] as Bounds, b[j] as Bounds]
    const [from, to] = [greatest(left.from, right.from), least(left.to, right.to)]
    if (compareText(from, to) < 0) common.push({ from, to })
    if (compareText(left.to, right.to) < 0) i += 1
    else j += 1
  }
  return common
}

/** The complement: every key outside. */
export function complement(bounds: readonly Bounds[]): readonly Bounds[] {
  const gaps: Bounds[] = []
  let from = lowest
  for (const one of bounds) {
    if (compareText(from, one.from) < 0) gaps.push({ from, to: one.from })
    from = one.to
  }
  if (compareText(from, highest) < 0) gaps.push({ from, to: highest })
  return gaps
}
