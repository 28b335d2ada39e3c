import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Item } from '../../../../../shared/platform/store/values/marshal.ts'
import { historyEntry } from '../../../../../shared/records/history/history-entry.ts'
import { historyRow, readChanges } from '../../../../../shared/records/history/history-row.ts'

const image = (version: number, data: object, more: Item = {}): Item => ({
  sk: '000000000042',
  tenant_id: 7,
  model: 'requests',
  version,
  created_by: 3,
  updated_by: 4,
  created_at: '2026-11-20T07:00:00.000Z',
  updated_at: `2026-11-20T07:00:0${version}.000Z`,
  data: JSON.stringify(data),
  ...more,
})

describe('the history entry of a write', () => {
  it('lists every set field of a new record with old: null', () => {
    expect(historyEntry(undefined, image(1, { title: 'x', note: null }))).toEqual({
      tenantId: 7,
      model: 'requests',
      recordId: 42,
      version: 1,
      action: 'create',
      userId: 4,
      at: '2026-11-20T07:00:01.000Z',
      changes: { title: { old: null, new: 'x' } },
    })
  })

  it('lists only the changed fields of an update', () => {
    const entry = historyEntry(
      image(1, { title: 'x', priority: 3 }),
      image(2, { title: 'x', priority: 5, source: 'mail' }),
    )
    expect(entry).toMatchObject({
      action: 'update',
      version: 2,
      changes: { priority: { old: 3, new: 5 }, source: { old: null, new: 'mail' } },
    })
    expect(entry?.changes).not.toHaveProperty('title')
  })

  it('lists every field of a deleted record with new: null, by the user who deleted it', () => {
    const marked = image(3, { title: 'x' }, { deleted_at: '2026-11-20T08:00:00.000Z', deleted_by: 9 })
    expect(historyEntry(image(2, { title: 'x' }), marked)).toMatchObject({
      action: 'delete',
      userId: 9,
      at: '2026-11-20T08:00:00.000Z',
      changes: { title: { old: 'x', new: null } },
    })
  })

  it('carries impersonator and source', () => {
    expect(historyEntry(undefined, image(1, {}, { impersonator_id: 1, source: 'import' }))).toMatchObject({
      impersonatorId: 1,
      source: 'import',
    })
  })

  it('does not exist for a write without a new version', () =>
    expect(historyEntry(image(2, { a: 1 }), image(2, { a: 1 }))).toBeUndefined())
})

describe('a history row', () => {
  const entryOf = (text: string) => historyEntry(undefined, image(1, { text }))!
  const stored = new Map<string, Uint8Array>()
  const roundTrip = (text: string) => {
    const { item, object } = historyRow(entryOf(text))
    if (object) stored.set(object.key, object.body)
    return readChanges(item, async (key) => stored.get(key)!)
  }

  it('is read back as it was written, for any JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const entry = historyEntry(undefined, image(1, { value }))!
        expect(await readChanges(historyRow(entry).item, async () => new Uint8Array())).toEqual(
          JSON.parse(JSON.stringify(entry.changes)),
        )
      }),
    )
  })

  it('is compressed over 50 KB, and moves to object storage when that is not enough', async () => {
    const random = Buffer.from(
      Array.from({ length: 400_000 }, (_, index) => (index * 7919 * (index % 251)) % 256),
    ).toString('base64')
    expect(historyRow(entryOf('short')).item).toHaveProperty('changes')
    expect(historyRow(entryOf('long '.repeat(20_000))).item).toHaveProperty('changes_gzip')
    expect((await roundTrip('long '.repeat(20_000))).text?.new).toBe('long '.repeat(20_000))
    expect((await roundTrip(random)).text?.new).toBe(random)
  })

  it('is the same for a stream record that is delivered again', () =>
    expect(historyRow(entryOf('x'))).toEqual(historyRow(entryOf('x'))))
})
