import type { Predicate, Scalar } from '../../columns/service.ts'
import { cutToBytes, escaped, maxValueBytes, orderedText } from '../../store/slots.ts'
import type { Expression } from '../grammar/expression-types.ts'
import type { QueryField } from '../grammar/expression-types.ts'
import { testsOf } from '../grammar/expression.ts'
import {
  after,
  allKeys,
  before,
  complement,
  includesMissing,
  intersect,
  keysBeginning,
  keysFrom,
  keysOf,
  keysUpTo,
  presentKeys,
  unite,
  type Bounds,
} from './key-bounds.ts'

/** Ranges of a slot that have the keys of all matching records; `exact` when they have no others. */
export interface KeyRanges {
  readonly bounds: readonly Bounds[]
  readonly exact: boolean
}

/** Values of this many bytes or more may be truncated in an index; this prefix of them is certain. */
export const certainBytes = maxValueBytes - 3

/** The field that an expression tests; undefined when it tests none or several. */
export function onlyField(expression: Expression): QueryField | undefined {
  const fields = testsOf(expression).map(({ field }) => field)
  return fields.every(({ path }) => path === fields[0]?.path) ? fields[0] : undefined
}

/**
 * The key ranges with every match of an expression over one indexed field; undefined when the slot may lack matches.
 */
export function rangesOf(expression: Expression, field: QueryField): KeyRanges | undefined {
  const ranges = readRanges(expression)
  return field.index?.coversMissing === false && includesMissing(ranges.bounds) ? undefined : ranges
}

function readRanges(expression: Expression): KeyRanges {
  switch (expression.kind) {
    case 'test':
      return predicateRanges(expression.predicate)
    case 'not': {
      const { bounds, exact } = readRanges(expression.of)
      // Matches of the complement may be inside a range that is not exact, too.
      return exact ? { bounds: complement(bounds), exact } : { bounds: allKeys, exact }
    }
    case 'all': {
      const parts = expression.of.map(readRanges)
      return {
        bounds: parts.reduce((common, { bounds }) => intersect(common, bounds), allKeys),
        exact: parts.every(({ exact }) => exact),
      }
    }
    case 'any': {
      const parts = expression.of.map(readRanges)
      return { bounds: unite(parts.flatMap(({ bounds }) => bounds)), exact: parts.every(({ exact }) => exact) }
    }
  }
}

function predicateRanges(predicate: Predicate): KeyRanges {
  switch (predicate.op) {
    case 'equals':
      return equalKeys(predicate.value)
    case 'among': {
      const parts = predicate.values.map(equalKeys)
      return { bounds: unite(parts.flatMap(({ bounds }) => bounds)), exact: parts.every(({ exact }) => exact) }
    }
    case 'less':
      return limit(predicate.value, 'to', before)
    case 'at_most':
      return limit(predicate.value, 'to', after)
    case 'greater':
      return limit(predicate.value, 'from', after)
    case 'at_least':
      return limit(predicate.value, 'from', before)
    case 'between': {
      const [low, high] = [limit(predicate.from, 'from', before), limit(predicate.to, 'to', after)]
      return { bounds: intersect(low.bounds, high.bounds), exact: low.exact && high.exact }
    }
    case 'present':
      return { bounds: presentKeys, exact: true }
    case 'filled':
      return { bounds: intersect(complement([keysOf('')]), presentKeys), exact: true }
    case 'starts': {
      if (predicate.folded) return { bounds: presentKeys, exact: false }
      const start = escaped(predicate.text)
      const isCut = Buffer.byteLength(start) > certainBytes
      return { bounds: [keysBeginning(isCut ? certainStart(start) : start)], exact: !isCut }
    }
    case 'contains':
    case 'ends':
      return { bounds: presentKeys, exact: false }
  }
}

function equalKeys(value: Scalar): KeyRanges {
  const start = uncertain(value)
  return start === undefined
    ? { bounds: [keysOf(orderedText(value))], exact: true }
    : { bounds: [keysBeginning(start)], exact: false }
}

/** One side of a range. A limit of long text includes every value that the index cannot distinguish from it. */
function limit(value: Scalar, side: 'from' | 'to', edge: (ordered: string) => string): KeyRanges {
  const start = uncertain(value)
  const around = start === undefined ? undefined : keysBeginning(start)
  const at = around ? around[side] : edge(orderedText(value))
  return { bounds: unite([side === 'from' ? keysFrom(at) : keysUpTo(at)]), exact: !around }
}

/** The certain prefix of a text that an index may have truncated; undefined for every other value. */
function uncertain(value: Scalar): string | undefined {
  if (typeof value !== 'string' || value.length * 4 < certainBytes) return undefined
  const text = escaped(value)
  return Buffer.byteLength(text) >= certainBytes ? certainStart(text) : undefined
}

const certainStart = (text: string): string => cutToBytes(text, certainBytes)
