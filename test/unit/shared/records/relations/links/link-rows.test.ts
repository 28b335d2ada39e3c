import { expect, it } from 'vitest'
import type { Store, Write } from '../../../../../../shared/platform/store/store.ts'
import { linkWrites, unlinkWrites } from '../../../../../../shared/records/relations/links/link-rows.ts'
import { removeLinks } from '../../../../../../shared/records/relations/links/remove-links.ts'

const tenant = { id: 7 }
const link = { relationId: 3, l: 42, r: 9 }

it('a link is two rows, one under each of its records, and one of them is in the index of its relation', () => {
  const rows = linkWrites(tenant, link, { by: 1, at: '2026-11-20T08:00:00.000Z' }).map(
    (write) => (write as { put: object }).put,
  )
  expect(rows).toEqual([
    {
      pk: 'T#7#L#3#l#42',
      sk: '000000000009',
      kind: 'link',
      v: 1,
      created_by: 1,
      created_at: '2026-11-20T08:00:00.000Z',
      p15: 'T#7#L#3#2',
      s15: '000000000042#000000000009',
    },
    {
      pk: 'T#7#L#3#r#9',
      sk: '000000000042',
      kind: 'link',
      v: 1,
      created_by: 1,
      created_at: '2026-11-20T08:00:00.000Z',
    },
  ])
})

it('unlinking removes both rows, on condition that the one that was read still exists', () => {
  expect(unlinkWrites(tenant, link, 'r')).toEqual([
    { remove: { pk: 'T#7#L#3#l#42', sk: '000000000009' } },
    { remove: { pk: 'T#7#L#3#r#9', sk: '000000000042' }, if: { expression: 'attribute_exists(pk)' } },
  ])
})

it('links are removed fifty per transaction, and once when found from both sides', async () => {
  const sizes: number[] = []
  const store = {
    transact: async (_: unknown, writes: readonly Write[]) => void sizes.push(writes.length),
  } as unknown as Store
  const links = Array.from({ length: 120 }, (_, index) => ({ ...link, r: index + 1 }))
  expect(await removeLinks(store, tenant, [...links, ...links.slice(0, 7)], () => 'uuid')).toBe(120)
  expect(sizes.toSorted((a, b) => a - b)).toEqual([40, 100, 100])
})
