import { expect, it } from 'vitest'
import type { MergedRecord } from '../../../../../../shared/records/comments/commented-record.ts'
import type { People } from '../../../../../../shared/records/comments/rows/discussion-row.ts'
import { watchersOf } from '../../../../../../shared/records/comments/watchers/watchers-of.ts'

const table = { table_fields: [] }
const [survivor, nearer, farther] = [1, 2, 3]
const nobody: People = { commenters: [], internalCommenters: [], added: [], muted: [] }
const recordOf = (id: number, mergedInto?: number) => ({ id, mergedInto, created_by: 0, data: {} }) as never
const merged = (id: number, into: number, people: Partial<People>): MergedRecord => ({
  record: recordOf(id, into),
  discussion: { rev: 1, count: 0, internalCount: 0, ...nobody, ...people },
})
const watching = (own: Partial<People>, ...others: MergedRecord[]): number[] => [
  ...watchersOf(table, recordOf(survivor), { ...nobody, ...own }, { seesInternal: true }, others).keys(),
]

it('who watches a record that was merged watches what it is part of', () => {
  expect(watching({ added: [10] }, merged(nearer, survivor, { commenters: [11] }))).toEqual([10, 11])
})

it('who stopped watching the survivor is not notified because of a record that was merged into it', () => {
  expect(watching({ muted: [11] }, merged(nearer, survivor, { added: [11, 12] }))).toEqual([12])
})

it('who stopped watching a record stays away from it wherever it is merged, with what had been merged into it', () => {
  const chain = [merged(nearer, survivor, { muted: [11], added: [12] }), merged(farther, nearer, { added: [11, 13] })]
  expect(watching({}, ...chain)).toEqual([12, 13])
  expect(watching({ added: [11] }, ...chain)).toEqual([11, 12, 13])
})
