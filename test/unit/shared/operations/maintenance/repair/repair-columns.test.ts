import { expect, it } from 'vitest'
import { repairColumns } from '../../../../../../shared/operations/maintenance/repair/repair-columns.ts'
import type { Item } from '../../../../../../shared/platform/store/values/marshal.ts'

const tenant = { id: 1 }
const image = (id: number, version: number, isGone = false): Item => ({
  sk: String(id).padStart(12, '0'),
  tenant_id: 1,
  model: 'things',
  version,
  created_by: 1,
  updated_by: 4,
  created_at: '2026-01-01',
  updated_at: '2026-01-02',
  data: '{}',
  ...(isGone && { deleted_at: '2026-01-03', deleted_by: 9 }),
})

function repairWith(stamps: ReadonlyMap<number, number>, refuses = false) {
  const sent: object[] = []
  const services = {
    knownStamps: async (_tenant: object, _model: string, ids: readonly number[]) => ids.map((id) => stamps.get(id)),
    send: async (_queue: string, bodies: readonly object[]) => {
      sent.push(...bodies)
      return refuses ? [{ index: 0, reason: 'too large' }] : []
    },
    queueUrl: 'columns',
  }
  return { sent, repair: (records: readonly Item[]) => repairColumns(services, tenant, 'things', records) }
}

it('queues exactly the records whose latest version the column index does not have', async () => {
  const known = new Map([
    [1, 6],
    [2, 4],
    [3, 7],
    [4, 6],
    [6, 8],
  ])
  const { repair, sent } = repairWith(known)
  const records = [image(1, 3), image(2, 3), image(3, 3, true), image(4, 3, true), image(5, 1), image(6, 3)]
  expect(await repair(records)).toEqual([2, 4, 5])
  const event = { v: 1, tenant_id: 1, model: 'things', source: 'repair' }
  expect(sent).toEqual([
    { ...event, id: 2, version: 3, action: 'update', actor: 4 },
    { ...event, id: 4, version: 3, action: 'delete', actor: 9 },
    { ...event, id: 5, version: 1, action: 'update', actor: 4 },
  ])
})

it('sends nothing when the column index has everything', async () => {
  const { repair, sent } = repairWith(new Map([[1, 6]]))
  expect([await repair([image(1, 3)]), await repair([]), sent]).toEqual([[], [], []])
})

it('fails when the queue refuses a record, so that the job tries again', async () => {
  await expect(repairWith(new Map(), true).repair([image(1, 1)])).rejects.toThrow('too large')
})
