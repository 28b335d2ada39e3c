import { allocateIds } from '../../../../shared/platform/store/sequence/sequence.ts'
import { recordItem } from '../../../../shared/records/records/record-item.ts'
import { readTable } from '../../../../shared/tables/tables/table.ts'
import type { TestService } from '../../services/service.ts'

/** Stores many records of a table without the API, for stories that only need their number. Answers their ids. */
export async function storeRecords(service: TestService, model: string, count: number): Promise<number[]> {
  const tenant = { ...service.tenant, name: 'Acme Ltd', configVersion: 1 }
  const row = await service.store.get(tenant, { pk: `T#${tenant.id}#CONFIG`, sk: `TABLE#${model}` })
  const table = readTable({ name: model, version: Number(row?.version), doc: JSON.parse(String(row?.doc)) })
  const first = await allocateIds(service.store, tenant, model, count)
  const at = '2026-11-20T08:00:00.000Z'
  const actor = { tenant, userId: service.admin.userId }
  const standard = {
    tenant_id: tenant.id,
    created_by: actor.userId,
    updated_by: actor.userId,
    created_at: at,
    updated_at: at,
    version: 1,
  }
  const ids = Array.from({ length: count }, (_, index) => first + index)
  await service.store.putMany(
    tenant,
    ids.map((id) => recordItem(table, { ...standard, id, data: { name: `${model} ${id}` } }, actor, `bulk ${id}`)),
  )
  return ids
}
