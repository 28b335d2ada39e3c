import { maxColumnCharacters } from '../../../kernel/limits/lists.ts'
import { columnTest, type ColumnTest } from '../../columns/predicate.ts'
import type { ColumnView } from '../../columns/reader/view.ts'
import { NumbersVector } from '../../columns/vector/numbers.ts'
import type { Vector } from '../../columns/vector/vector.ts'
import { andNot, copyOf, giveBack, type Mask, or } from './masks.ts'
import { narrowIds } from './narrow-ids.ts'

/** A filter in the form in which it is evaluated on the columns of one table. */
export type Condition =
  | { readonly kind: 'all' | 'any'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }
  /** A test of a column; `longTexts` is the column of the whole texts, if the test needs them. */
  | { readonly kind: 'column'; readonly column: string; readonly longTexts?: string; readonly test: ColumnTest }
  /** The column's number is one of these: `numbers[value]` is 1. */
  | { readonly kind: 'numbers'; readonly column: string; readonly numbers: Uint8Array }
  | { readonly kind: 'id' | 'version'; readonly test: ColumnTest }
  /** The records that a search found. */
  | { readonly kind: 'found'; positions(chunk: number): Uint16Array | undefined }
  | { readonly kind: 'constant'; readonly passes: boolean }

/**
 * Clears the positions of a chunk's mask that fail the condition. Where a column of whole texts was left out, a long
 * text may pass or not: it passes if `keepUncertain`, else it fails.
 */
export function applyCondition(
  view: ColumnView,
  chunk: number,
  condition: Condition,
  mask: Mask,
  keepUncertain: boolean,
): void {
  switch (condition.kind) {
    case 'all':
      for (const part of condition.of) applyCondition(view, chunk, part, mask, keepUncertain)
      return
    case 'any': {
      const some = copyOf(mask)
      some.fill(0)
      for (const part of condition.of) {
        const passed = copyOf(mask)
        applyCondition(view, chunk, part, passed, keepUncertain)
        or(some, passed)
        giveBack(passed)
      }
      mask.set(some)
      giveBack(some)
      return
    }
    case 'not': {
      const passed = copyOf(mask)
      applyCondition(view, chunk, condition.of, passed, !keepUncertain)
      andNot(mask, passed)
      giveBack(passed)
      return
    }
    case 'column':
      narrowColumn(view, chunk, condition, mask, keepUncertain)
      return
    case 'numbers': {
      const vector = view.vector(condition.column, chunk)
      if (vector instanceof NumbersVector) vector.narrowBy(mask, condition.numbers)
      else mask.fill(0)
      return
    }
    case 'id':
      narrowIds(mask, chunk, condition.test.predicate)
      return
    case 'version': {
      const stamps = view.stamps(chunk)
      narrowBy(mask, (position) => condition.test.passes((stamps?.[position] ?? 0) >>> 1))
      return
    }
    case 'found': {
      const found = copyOf(mask)
      found.fill(0)
      for (const position of condition.positions(chunk) ?? []) found[position] = mask[position] ?? 0
      mask.set(found)
      giveBack(found)
      return
    }
    case 'constant':
      if (!condition.passes) mask.fill(0)
  }
}

const isPresent = columnTest({ op: 'present' })

function narrowColumn(
  view: ColumnView,
  chunk: number,
  { column, longTexts, test }: Extract<Condition, { kind: 'column' }>,
  mask: Mask,
  keepUncertain: boolean,
): void {
  const vector = view.vector(column, chunk)
  if (!vector) {
    mask.fill(0)
    return
  }
  if (longTexts === undefined) vector.narrow(mask, test)
  else if (view.isLeftOut(longTexts)) narrowCut(vector, mask, test, keepUncertain)
  else narrowWhole(vector, view.vector(longTexts, chunk), mask, test)
}

/** Tests the whole text of a record where there is one, else the column's own. */
function narrowWhole(vector: Vector, whole: Vector | undefined, mask: Mask, test: ColumnTest): void {
  if (!whole) {
    vector.narrow(mask, test)
    return
  }
  const long = copyOf(mask)
  whole.narrow(long, isPresent)
  andNot(mask, long)
  vector.narrow(mask, test)
  whole.narrow(long, test)
  or(mask, long)
  giveBack(long)
}

/** A text of this length may go on, and its rest is in no column. */
const cutFrom = maxColumnCharacters - 1

function narrowCut(vector: Vector, mask: Mask, test: ColumnTest, keepUncertain: boolean): void {
  const before = mask.slice()
  vector.narrow(mask, test)
  for (let position = 0; position < before.length; position += 1) {
    if (before[position] === 0) continue
    const value = vector.get(position)
    if (typeof value !== 'string' || value.length < cutFrom) continue
    if (keepUncertain) mask[position] = 1
    // A text contains what its beginning contains; of other tests the beginning proves nothing.
    else if (test.predicate.op !== 'contains') mask[position] = 0
  }
}

function narrowBy(mask: Mask, passes: (position: number) => boolean): void {
  for (let position = 0; position < mask.length; position += 1)
    if (mask[position] === 1 && !passes(position)) mask[position] = 0
}
