import { includesAll, intersect, type Bounds } from '../access/key-bounds.ts'
import { onlyField, rangesOf } from '../access/slot-range.ts'
import type { Expression } from '../grammar/expression-types.ts'
import type { QueryField } from '../grammar/expression-types.ts'
import { conjunctsOf, testsOf } from '../grammar/expression.ts'

/** A source of ids that has every match of a part of the filter. */
export type Source =
  | { readonly kind: 'slot'; readonly field: QueryField; readonly bounds: readonly Bounds[]; readonly exact: boolean }
  /** The ids named in the filter; records with them need not exist. */
  | { readonly kind: 'ids'; readonly ids: readonly number[]; readonly exact: false }
  | { readonly kind: 'union'; readonly of: readonly Source[]; readonly exact: boolean }

/** A range of ids, both ends included. */
export interface IdRange {
  readonly from: number
  readonly to: number
}

/** How indexes serve a filter. */
export interface Sources {
  /** Each has every match of the whole filter. */
  readonly sources: readonly Source[]
  /** Parts that no source serves exactly: they must be checked on the records. */
  readonly rest: readonly Expression[]
  readonly idRange: IdRange
  /** Nothing can match. */
  readonly isEmpty: boolean
}

export const everyId: IdRange = { from: 1, to: Number.MAX_SAFE_INTEGER }

export function findSources(filter: Expression): Sources {
  const bySlot = new Map<string, { field: QueryField; bounds: readonly Bounds[]; exact: boolean }>()
  const others: Source[] = []
  const rest: Expression[] = []
  let idRange = everyId
  for (const part of conjunctsOf(filter)) {
    const ids = idRangeOf(part)
    if (ids) {
      idRange = { from: Math.max(ids.from, idRange.from), to: Math.min(ids.to, idRange.to) }
      continue
    }
    const source = sourceOf(part)
    if (source?.kind === 'slot') {
      const known = bySlot.get(source.field.path)
      bySlot.set(source.field.path, {
        field: source.field,
        bounds: known ? intersect(known.bounds, source.bounds) : source.bounds,
        exact: source.exact && (known?.exact ?? true),
      })
    } else if (source) others.push(source)
    if (!source?.exact) rest.push(part)
  }
  const slots: Source[] = [...bySlot.values()]
    .filter(({ bounds }) => !includesAll(bounds))
    .map((slot) => ({ kind: 'slot' as const, ...slot }))
  const sources = [...slots, ...others]
  return { sources, rest, idRange, isEmpty: idRange.from > idRange.to || sources.some(holdsNothing) }
}

/** The source of one part of a filter; undefined when no index serves it. */
function sourceOf(part: Expression): Source | undefined {
  if (part.kind === 'test' && part.field.name === 'id' && !part.field.via) {
    if (part.predicate.op === 'equals')
      return { kind: 'ids', ids: [Number(part.predicate.value)].filter(isId), exact: false }
    if (part.predicate.op === 'among')
      return { kind: 'ids', ids: [...new Set(part.predicate.values.map(Number))].filter(isId), exact: false }
  }
  const field = onlyField(part)
  if (field?.index?.slot !== undefined) {
    const ranges = rangesOf(part, field)
    if (ranges && !(includesAll(ranges.bounds) && !ranges.exact)) return { kind: 'slot', field, ...ranges }
  }
  return part.kind === 'any' ? unionOf(part.of) : undefined
}

/** The union of the best source of each alternative, if every one has a source. */
function unionOf(alternatives: readonly Expression[]): Source | undefined {
  const parts = alternatives.map((alternative) => {
    const { sources, rest, idRange, isEmpty } = findSources(alternative)
    const best = sources.find(({ exact }) => exact) ?? sources[0]
    const exact = best?.exact === true && sources.length === 1 && rest.length === 0 && idRange === everyId
    return isEmpty ? nothing : best && { best, exact }
  })
  if (!parts.every((part) => part !== undefined)) return undefined
  return { kind: 'union', of: parts.map(({ best }) => best), exact: parts.every(({ exact }) => exact) }
}

const nothing: { best: Source; exact: boolean } = { best: { kind: 'union', of: [], exact: true }, exact: true }
const isId = (id: number): boolean => Number.isSafeInteger(id) && id > 0 && id < 1e12

const holdsNothing = (source: Source): boolean =>
  source.kind === 'ids'
    ? source.ids.length === 0
    : source.kind === 'slot'
      ? source.bounds.length === 0
      : source.of.every(holdsNothing)

/** The range of ids that a part limits the table scan to; undefined when it does not. */
function idRangeOf(part: Expression): IdRange | undefined {
  const isNegated = part.kind === 'not'
  const test = isNegated ? part.of : part
  if (test.kind !== 'test' || test.field.name !== 'id' || test.field.via) return undefined
  const { predicate } = test
  switch (predicate.op) {
    case 'less':
    case 'at_least': {
      const edge = Math.ceil(Number(predicate.value))
      return (predicate.op === 'less') === isNegated ? { from: edge, to: everyId.to } : { from: 1, to: edge - 1 }
    }
    case 'greater':
    case 'at_most': {
      const edge = Math.floor(Number(predicate.value))
      return (predicate.op === 'greater') === isNegated ? { from: 1, to: edge } : { from: edge + 1, to: everyId.to }
    }
    case 'between':
      return isNegated ? undefined : { from: Math.ceil(Number(predicate.from)), to: Math.floor(Number(predicate.to)) }
    case 'present':
      return isNegated ? { from: 1, to: 0 } : everyId
    default:
      return undefined
  }
}

/** The fields that no index serves, for the message that says which to index. */
export const fieldsWithoutIndex = (rest: readonly Expression[]): QueryField[] =>
  rest.flatMap(testsOf).map(({ field }) => field)
