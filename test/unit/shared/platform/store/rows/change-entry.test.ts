import { expect, it } from 'vitest'
import { changePartitions, parseChangeSort } from '../../../../../../shared/platform/store/keys/columns.ts'
import { type StoredRecord } from '../../../../../../shared/platform/store/rows/record-row.ts'
import { tombstoneItem } from '../../../../../../shared/platform/store/rows/tombstone-row.ts'
import { markedItem, recordItem } from '../../../../../../shared/platform/store/rows/write-record-row.ts'
import type { Item } from '../../../../../../shared/platform/store/values/marshal.ts'

const tenant = { id: 7, slug: 'acme', name: 'Acme', configVersion: 1 }
const table = { name: 'requests' }
const author = { tenant, userId: 3 }
const [createdAt, updatedAt, deletedAt] = [1, 2, 3].map((day) => `2026-01-0${day}T00:00:00.000Z`) as [
  string,
  string,
  string,
]
const record: StoredRecord = {
  id: 42,
  tenant_id: 7,
  created_by: 3,
  updated_by: 3,
  created_at: createdAt,
  updated_at: updatedAt,
  version: 5,
  data: { title: 'A' },
}
const deleted = { ...record, version: 6, deletedAt, deletedBy: 3 }
const removal = { dueAt: deletedAt, queued: false, round: 1 }

it.each<[string, Item, string, number, boolean]>([
  ['a living record', recordItem(table, record, author, 'w'), updatedAt, 5, false],
  ['a record that is being deleted', markedItem(table, deleted, author, 'w', removal), deletedAt, 6, true],
  ['a tombstone', tombstoneItem(tenant, { name: 'requests' }, deleted, undefined), deletedAt, 6, true],
])('the change of %s is found by its time', (_name, item, at, version, isGone) => {
  expect(changePartitions(tenant, 'requests')).toContain(item.p02)
  expect(parseChangeSort(String(item.s02))).toEqual({ at, id: 42, version, isGone })
})

it('a living record is in no other slot', () => {
  const slots = Object.keys(recordItem(table, record, author, 'w')).filter((name) => /^[ps]\d\d$/.test(name))
  expect(slots).toEqual(['p02', 's02'])
})

it('the changes of a table are spread over its partitions', () => {
  const partitions = new Set([1, 2, 3, 4].map((id) => recordItem(table, { ...record, id }, author, 'w').p02))
  expect(partitions).toEqual(new Set(changePartitions(tenant, 'requests')))
})
