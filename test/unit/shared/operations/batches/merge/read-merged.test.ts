import { describe, expect, it } from 'vitest'
import type { Caller } from '../../../../../../shared/kernel/principal.ts'
import type { BatchDependencies } from '../../../../../../shared/operations/batches/dependencies.ts'
import { readMerged } from '../../../../../../shared/operations/batches/merge/read-merged.ts'
import { type Batch, batchItem } from '../../../../../../shared/operations/batches/rows/batch-row.ts'
import { batchKey } from '../../../../../../shared/platform/store/keys/batches.ts'
import type { Key } from '../../../../../../shared/platform/store/keys/key.ts'
import { recordKey } from '../../../../../../shared/platform/store/keys/records.ts'
import type { Item } from '../../../../../../shared/platform/store/values/marshal.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { tableOf, tenant } from '../../../../../make/builders/lists/query-records.ts'

const keyText = ({ pk, sk }: Key): string => `${pk} ${sk}`
const tickets = tableOf(101, 'tickets', [{ name: 'title', type: 'text' }])
const at = '2026-11-20T08:00:00.000Z'
const clock = frozenClock(at)
const ann = { tenant, userId: 3 } as Caller
const ben = { tenant, userId: 4 } as Caller

/** Batch 7 merged ticket 1 into ticket 2; batch 8 takes it back, and came to this. */
const unmerge: Batch = {
  id: 8,
  kind: 'undo',
  model: 'tickets',
  status: 'done',
  userId: ann.userId,
  work: { undoes: 7, unmerge: { from: 1, into: 2 } },
  matched: 2,
  changed: 2,
  unchanged: 0,
  failed: 0,
  kept: 0,
  pages: 1,
  nextPage: 1,
  isDryRun: false,
  createdAt: at,
}

/** What is left of the merge after unmerges, as `caller` may take it back by the batch `batchId`. */
async function left(caller: Caller, batches: readonly (Partial<Batch> & { continuedBy?: number })[], batchId?: number) {
  const rows = new Map<string, Item>()
  const keep = (key: Key, item: Item) => rows.set(keyText(key), { ...key, ...item })
  keep(recordKey(tenant, 'tickets', 1), { unmerged_by: 8 })
  keep(recordKey(tenant, 'tickets', 2), {})
  for (const { continuedBy, ...one } of batches) {
    const batch = { ...unmerge, ...one }
    keep(batchKey(tenant, batch.id), { ...batchItem(tenant, batch), ...(continuedBy && { continued_by: continuedBy }) })
  }
  const services = {
    clock,
    store: { get: async (_: unknown, key: Key) => rows.get(keyText(key)) },
    access: { require: async () => {} },
  } as unknown as BatchDependencies
  return readMerged(services, caller, tickets, 1, batchId)
}
const nothing = { code: 'record_not_merged' }
const rest = { mergeBatch: 7, pair: { from: 1, into: 2 }, repeats: 8 }

describe('a record whose merge was taken back', () => {
  it('is not merged any more for whoever took back all of it', async () => {
    await expect(left(ann, [{}])).rejects.toMatchObject(nothing)
  })

  it('may be unmerged again while something of it failed, and by others, who may see more of what is left', async () => {
    expect(await left(ann, [{ failed: 1 }])).toEqual(rest)
    expect(await left(ann, [{ status: 'failed' }])).toEqual(rest)
    expect(await left(ben, [{}])).toEqual(rest)
  })

  it('is judged by the last repeat', async () => {
    const last = { id: 9, failed: 0 }
    await expect(left(ann, [{ failed: 1, continuedBy: 9 }, last])).rejects.toMatchObject(nothing)
    expect(await left(ann, [{ continuedBy: 9 }, { ...last, failed: 1 }])).toEqual(rest)
  })

  it('waits for an unmerge that still runs', async () => {
    await expect(left(ben, [{ status: 'running' }])).rejects.toMatchObject({ code: 'batch_running' })
  })

  it('is unmerged by the undo of that merge, and of no other', async () => {
    expect(await left(ben, [{}], 7)).toEqual(rest)
    await expect(left(ben, [{}], 6)).rejects.toMatchObject(nothing)
  })
})
