import { afterAll, beforeAll, expect, it } from 'vitest'
import { changedRecords, lastImages } from '../../../../../../shared/operations/maintenance/repair/changed-records.ts'
import type { ChangeSort } from '../../../../../../shared/platform/store/keys/columns.ts'
import { recordKey } from '../../../../../../shared/platform/store/keys/records.ts'
import { type StoredRecord } from '../../../../../../shared/platform/store/rows/record-row.ts'
import { tombstoneItem } from '../../../../../../shared/platform/store/rows/tombstone-row.ts'
import { markedItem, recordItem } from '../../../../../../shared/platform/store/rows/write-record-row.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const tenant = { id: 1, slug: 'acme', name: 'Acme', configVersion: 1 }
const author = { tenant, userId: 3 }
const table = { name: 'things' }
const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
const record = (id: number, changedAt: string, version: number): StoredRecord => ({
  id,
  tenant_id: 1,
  created_by: 3,
  updated_by: 3,
  created_at: at(0),
  updated_at: changedAt,
  version,
  data: { title: `Thing ${id}` },
})
const deleted = (id: number, deletedAt: string) => ({ ...record(id, at(1), 2), deletedAt, deletedBy: 4 })
const span = { since: at(10), until: at(50) }

let single: SingleTable
beforeAll(async () => {
  single = await openSingleTable()
  const removal = { dueAt: at(60), queued: false, round: 1 }
  await single.store.putMany(tenant, [
    // Records 1 to 24 change every two minutes, from minute 2 to minute 48, and record 30 at the end of the span.
    ...Array.from({ length: 24 }, (_, index) =>
      recordItem(table, record(index + 1, at(2 * index + 2), 1), author, 'w'),
    ),
    recordItem(table, record(30, span.until, 1), author, 'w'),
    markedItem(table, deleted(31, at(11)), author, 'w', removal),
    tombstoneItem(tenant, { name: 'things' }, deleted(32, at(13)), undefined),
    tombstoneItem(tenant, { name: 'things' }, deleted(33, at(55)), undefined),
  ])
})
afterAll(() => single?.close())

async function pagesOf(limit: number): Promise<ChangeSort[][]> {
  const pages: ChangeSort[][] = []
  let next: string | undefined
  do {
    const page = await changedRecords(single.store, tenant, 'things', span, limit, next)
    pages.push([...page.changes])
    next = page.next
  } while (next !== undefined)
  return pages
}
const inSpan = [5, 31, 6, 32, ...Array.from({ length: 18 }, (_, index) => index + 7)]

it.each([1, 2, 3, 7, 21, 22, 23, 200])('changes of all partitions come by time, in pages of %d', async (limit) => {
  const pages = await pagesOf(limit)
  expect(pages.flat().map(({ id }) => id)).toEqual(inSpan)
  expect(pages.every((page) => page.length <= limit)).toBe(true)
  expect(pages.flat().filter(({ isGone }) => isGone)).toEqual([
    { at: at(11), id: 31, version: 2, isGone: true },
    { at: at(13), id: 32, version: 2, isGone: true },
  ])
})

it('a table without changes has an empty page', async () => {
  expect(await changedRecords(single.store, tenant, 'other', span, 10)).toEqual({ changes: [] })
})

it('the last image of a deleted record has no fields, whether its delete has ended or not', async () => {
  const images = await lastImages(single.store, tenant, 'things', (await pagesOf(200)).flat(), span)
  expect(images).toHaveLength(inSpan.length)
  expect(images.find(({ sk }) => Number(sk) === 7)).toMatchObject({ version: 1, data: '{"title":"Thing 7"}' })
  for (const id of [31, 32])
    expect(images.find(({ sk }) => Number(sk) === id)).toMatchObject({ version: 2, deleted_by: 4, data: '{}' })
})

it('a record that changed again after the span is left to the next repair', async () => {
  const changes = (await pagesOf(200)).flat().filter(({ id }) => id === 10 || id === 11)
  await single.store.write(tenant, { put: recordItem(table, record(10, at(58), 2), author, 'w') })
  await single.store.write(tenant, { remove: recordKey(tenant, 'things', 11) })
  expect(await lastImages(single.store, tenant, 'things', changes, span)).toEqual([])
})
