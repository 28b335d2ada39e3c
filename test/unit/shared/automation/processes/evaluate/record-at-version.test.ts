import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordAtVersion } from '../../../../../../shared/automation/processes/evaluate/record-at-version.ts'
import { Conflict } from '../../../../../../shared/kernel/failures/faults.ts'
import { recordKey } from '../../../../../../shared/platform/store/keys/records.ts'
import { historyEntry } from '../../../../../../shared/records/history/history-entry.ts'
import { historyRow } from '../../../../../../shared/records/history/history-row.ts'
import {
  markedItem,
  type RecordData,
  recordItem,
  type StoredRecord,
} from '../../../../../../shared/records/records/record-item.ts'
import { frozenClock } from '../../../../../make/builders/frozen-clock.ts'
import { tableOf } from '../../../../../make/builders/lists/query-records.ts'
import { memoryObjects } from '../../../../../make/services/stores/memory-objects.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const tenant = { id: 1, slug: 'acme', name: 'Acme Ltd', configVersion: 1 }
const actor = { tenant, userId: 3 }
const plans = tableOf(101, 'plans', [
  { name: 'status', type: 'text' },
  { name: 'note', type: 'text' },
])
const versions: readonly RecordData[] = [
  { status: 'new' },
  { status: 'new', note: 'first' },
  { status: 'ready', note: 'first' },
  { status: 'ready', note: 'last' },
]
let single: SingleTable
let id = 0
beforeAll(async () => {
  single = await openSingleTable()
})
afterAll(() => single?.close())

const version = (number: number): StoredRecord => ({
  id,
  tenant_id: 1,
  created_by: 3,
  created_at: '2026-11-20T08:00:00.000Z',
  updated_by: 3,
  updated_at: '2026-11-20T08:00:00.000Z',
  version: number,
  data: versions[number - 1]!,
})
const itemOf = (number: number) => recordItem(plans, version(number), actor, `write ${number}`)
/** The history that the stream has written; of a version it writes one row. */
async function writeHistory(...numbers: readonly number[]): Promise<void> {
  for (const number of numbers)
    await single.store.write(tenant, {
      put: historyRow(historyEntry(number === 1 ? undefined : itemOf(number - 1), itemOf(number))!).item,
    })
}
const at = (number: number, known = [plans]) =>
  recordAtVersion(
    {
      store: single.store,
      clock: frozenClock(),
      objects: memoryObjects(),
      tables: { find: async (_tenant: object, name: string) => known.find((table) => table.name === name) },
    } as never,
    tenant,
    'plans',
    id,
    number,
  )
beforeEach(async () => {
  id += 1
  await single.store.write(tenant, { put: itemOf(4) })
})

describe('a record at one of its versions', () => {
  it.each([1, 2, 3, 4])('has the data of version %i, and of the one before it', async (number) => {
    await writeHistory(1, 2, 3, 4)
    const state = await at(number)
    const nulls = { status: null, note: null }
    expect(state?.version).toBe(number)
    expect({ ...nulls, ...state?.data }).toEqual({ ...nulls, ...versions[number - 1] })
    const before = await state?.before()
    expect(before && { ...nulls, ...before }).toEqual(number === 1 ? undefined : { ...nulls, ...versions[number - 2] })
  })

  it('needs the history of what comes after it only', async () => {
    expect((await at(4))?.data).toEqual(versions[3])
    await writeHistory(4)
    expect((await at(3))?.data).toEqual(versions[2])
  })

  it('is not guessed while its history is still being written', async () => {
    await writeHistory(3)
    await expect(at(2)).rejects.toThrow(Conflict)
    await expect((await at(4))?.before()).rejects.toMatchObject({ code: 'history_pending' })
  })

  it('is the last one for a version that is yet to come', async () => {
    await writeHistory(1, 2, 3, 4)
    const state = await at(5)
    expect([state?.version, state?.data, await state?.before()]).toEqual([4, versions[3], undefined])
  })

  it('does not exist once the record or its table is gone', async () => {
    expect(await at(4, [])).toBeUndefined()
    const marked = { ...version(4), deletedAt: '2026-11-20T08:00:00.000Z', deletedBy: 3 }
    const removal = { dueAt: '2026-11-20T08:00:00.000Z', queued: false, round: 1 }
    await single.store.write(tenant, { put: markedItem(plans, marked, actor, 'mark', removal) })
    expect(await at(4)).toBeUndefined()
    await single.store.write(tenant, { remove: recordKey(tenant, 'plans', id) })
    expect(await at(4)).toBeUndefined()
  })
})
