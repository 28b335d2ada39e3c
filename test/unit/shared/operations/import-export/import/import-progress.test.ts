import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  advance,
  createdSoFar,
  importAnswer,
  isFree,
  progressItem,
  readProgress,
  type ImportProgress,
} from '../../../../../../shared/operations/import-export/import/import-progress.ts'
import type { RowFailure } from '../../../../../../shared/operations/import-export/schema.ts'
import type { Item } from '../../../../../../shared/platform/store/values/marshal.ts'
import { equals } from '../../../../../../shared/platform/store/writes/conditions.ts'
import { wasApplied } from '../../../../../../shared/platform/store/writes/refusals.ts'
import { openSingleTable } from '../../../../../make/services/stores/single-table.ts'

const key = { pk: 'T#1#IMPORT#x', sk: 'T#1#IMPORT#x' }
const begun: ImportProgress = {
  key,
  model: 'things',
  bodyHash: 'h',
  total: 5,
  firstId: 11,
  nextRow: 0,
  failures: [],
  expiresAt: 2000,
}
const failure = (row: number, message = 'Validation error'): RowFailure => ({
  row,
  errors: { title: ['The title field is required.'] },
  message,
})

/** The row after a step, as DynamoDB would have it. */
function after(item: Item, progress: ImportProgress, to: number, failures: readonly RowFailure[]): Item {
  const write = advance(progress, to, failures) as unknown as {
    change: { names?: Record<string, string>; values: Record<string, never> }
  }
  const name = write.change.names?.['#failures']
  return { ...item, next_row: to, ...(name && { [name]: write.change.values[':failures'] }) }
}

describe('the progress of an import', () => {
  it('is read as it was written, with the failures of every step in order', () => {
    const first = after(progressItem(begun), begun, 3, [failure(1)])
    const at3 = readProgress(key, first, 0) as ImportProgress
    expect(at3).toEqual({ ...begun, nextRow: 3, failures: [failure(1)] })
    const last = readProgress(key, after(first, at3, 5, [failure(4)]), 0) as ImportProgress
    expect(last.failures.map(({ row }) => row)).toEqual([1, 4])
    expect(createdSoFar(last)).toBe(3)
    expect(importAnswer(last)).toEqual({
      total: 5,
      created: 3,
      failed: 2,
      ids: [11, null, 13, 14, null],
      errors: [failure(1), failure(4)],
    })
  })

  it('is ignored once it has expired', () => {
    expect(readProgress(key, progressItem(begun), 2_000_000)).toBeDefined()
    expect(readProgress(key, progressItem(begun), 2_000_001)).toBeUndefined()
    expect(readProgress(key, undefined, 0)).toBeUndefined()
  })

  it('makes room for the next import with its key at the millisecond at which it is ignored', async () => {
    const single = await openSingleTable()
    try {
      const put = progressItem(begun)
      await single.store.write({ id: 1 }, { put })
      const again = (nowMs: number) => wasApplied(single.store.write({ id: 1 }, { put, if: isFree(nowMs) }))
      for (const nowMs of [1_999_999, 2_000_000, 2_000_001, 2_000_999, 2_001_000])
        expect([nowMs, await again(nowMs)]).toEqual([nowMs, readProgress(key, put, nowMs) === undefined])
    } finally {
      await single.close()
    }
  })

  it('advances only from its stored position', () => {
    expect(advance({ ...begun, nextRow: 3 }, 4, [])).toMatchObject({
      if: equals('next_row', 3),
    })
  })

  it.each([
    ['the same for all', () => 'The title field is required.'],
    ['different for all', (row: number) => `The value ${'x'.repeat(200)}${row * 7919} is wrong.`],
    ['noise', (row: number) => gzipSync(`${row}`.repeat(400)).toString('base64').repeat(2)],
  ])('holds the failures of 5,000 rows in one item of 400 KB: messages %s', (_, message) => {
    let item: Item = progressItem({ ...begun, total: 5000 })
    let progress = begun
    for (let from = 0; from < 5000; from += 98) {
      const to = Math.min(5000, from + 98)
      const failures = Array.from({ length: to - from }, (__, index) => ({
        row: from + index,
        errors: { title: [message(from + index)] },
        message: 'Validation error',
      }))
      item = after(item, progress, to, failures)
      progress = readProgress(key, item, 0) as ImportProgress
    }
    const bytes = Object.entries(item).reduce(
      (sum, [name, value]) =>
        sum + name.length + (value instanceof Uint8Array ? value.length : Buffer.byteLength(String(value))),
      0,
    )
    expect(bytes).toBeLessThan(400 * 1024)
    expect(progress.failures.map(({ row }) => row)).toEqual(Array.from({ length: 5000 }, (__, row) => row))
  })
})
