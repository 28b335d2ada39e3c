import type { TenantRef } from '../../kernel/tenancy.ts'
import type { ChangeEvent } from '../../queue/change-feed/change-event.ts'
import type { Send } from '../../queue/send.ts'
import { manifestKey } from '../../store/keys/search.ts'
import type { Item } from '../../store/marshal.ts'
import { isLiving, readRecordHead } from '../../store/rows/record-row.ts'
import type { Store } from '../../store/store.ts'
import { repairSource } from './missing-history.ts'

export interface SearchRepairDependencies {
  readonly store: Pick<Store, 'getMany'>
  readonly send: Send
  readonly searchQueueUrl: string
}

/** Queues records for indexing again whose latest version is not in the search index; answers their ids. */
export async function repairSearch(
  { store, send, searchQueueUrl }: SearchRepairDependencies,
  tenant: TenantRef,
  model: string,
  records: readonly Item[],
): Promise<number[]> {
  const manifests = await store.getMany(
    tenant,
    records.map(({ sk }) => manifestKey(tenant, model, Number(sk))),
    ['pk', 'sk', 'version'],
  )
  // A deleted record may have no manifest: it expires after a day.
  const stale = records.filter(
    ({ version, deleted_at }, index) =>
      Number(manifests[index]?.version ?? (deleted_at === undefined ? 0 : version)) < Number(version),
  )
  if (stale.length === 0) return []
  const refused = await send(
    searchQueueUrl,
    stale.map((item) => changeOf(tenant, model, item)),
  )
  if (refused.length > 0) throw new Error(`the queue refused changes: ${refused[0]?.reason}`)
  return stale.map(({ sk }) => Number(sk))
}

function changeOf(tenant: TenantRef, model: string, item: Item): ChangeEvent {
  const { id, version, updated_by } = readRecordHead(item)
  return {
    v: 1,
    tenant_id: tenant.id,
    model,
    id,
    version,
    action: isLiving(item) ? 'update' : 'delete',
    actor: updated_by,
    source: repairSource,
  }
}
