import { expect, it } from 'vitest'
import {
  and,
  atRevision,
  atVersion,
  below,
  equals,
  exists,
  isNew,
  isUndeleted,
  lacks,
  or,
} from '../../../../../../shared/platform/store/writes/conditions.ts'
import { ConditionFailed } from '../../../../../../shared/platform/store/writes/refusals.ts'
import { openSingleTable } from '../../../../../make/services/stores/single-table.ts'

it('keeps the placeholders of a condition apart from those of its change', () => {
  expect(and(atVersion(3), lacks('deleted_at'))).toEqual({
    expression: '#version = :if_version AND attribute_not_exists(#deleted_at)',
    names: { '#version': 'version', '#deleted_at': 'deleted_at' },
    values: { ':if_version': 3 },
  })
  expect(or(isNew, equals('id', 7)).expression).toBe('attribute_not_exists(pk) OR #id = :if_id')
})

it('puts alternatives in a conjunction into parentheses, and nothing else', () => {
  expect(and(atRevision(1), or(isNew, below('until', 5))).expression).toBe(
    '#rev = :if_rev AND (attribute_not_exists(pk) OR #until < :if_until)',
  )
  expect(and(exists, isUndeleted).expression).toBe(
    'attribute_exists(pk) AND attribute_not_exists(#deleted_at) AND attribute_not_exists(#merged_into)',
  )
})

it('is applied to writes', async () => {
  const { store, close } = await openSingleTable()
  const tenant = { id: 1 }
  const key = { pk: 'T#1#TEST', sk: 'a' }
  const put = (rev: number, condition = isNew) => store.write(tenant, { put: { ...key, rev }, if: condition })
  try {
    await put(1)
    await expect(put(1)).rejects.toThrow(ConditionFailed)
    await put(2, and(atRevision(1), or(equals('other', 1), isUndeleted)))
    await expect(put(3, atRevision(1))).rejects.toMatchObject({ existing: { rev: 2 } })
    const change = { expression: 'SET rev = :rev', values: { ':rev': 3 } }
    await store.write(tenant, { update: key, change, if: and(exists, below('rev', 3)) })
    expect(await store.get(tenant, key)).toMatchObject({ rev: 3 })
  } finally {
    await close()
  }
})
