import type { RowAccess } from '../../../accounts/access/row-access.ts'
import { maxListedOfBatch } from '../../../kernel/limits/imports.ts'
import { mayOnTable } from '../../../kernel/permissions.ts'
import type { Viewer } from '../../../kernel/principal.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { batchPagesPartition } from '../../../platform/store/keys/batches.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { readPages } from '../../../platform/store/ranges/read-all.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { BatchCancelled, Kept, RecordFailure, ReturnedRecord } from '../schema.ts'
import type { Batch } from './batch-row.ts'
import { type PageReport, readPageReport } from './page-row.ts'

interface Dependencies {
  readonly store: Pick<Store, 'query' | 'getMany'>
  readonly access: Pick<RowAccess, 'isLimited' | 'permitted'>
}

/**
 * What there is to say of the records of a batch: of each list the first 1,000. A merge or a delete reaches records that its
 * actor may not read: those are counted, and not named.
 */
export async function readReport(services: Dependencies, viewer: Viewer, batch: Batch): Promise<Required<PageReport>> {
  const { failures, kept, cancelled, returned } = await readListed(services.store, viewer.tenant, batch)
  const mayRead = await openReadable(services, viewer, batch, [...failures, ...kept, ...returned])
  return {
    failures: failures.filter(mayRead),
    kept: kept.filter(mayRead),
    // The work names processes only of records that its actor may read.
    cancelled,
    returned: returned.filter(mayRead),
  }
}

type Named = Pick<RecordFailure, 'id' | 'model'>

/** Tells which of the named records the viewer may read. Those that a batch was begun with were named by its actor. */
async function openReadable(
  { store, access }: Dependencies,
  viewer: Viewer,
  { model: ownModel, work }: Batch,
  named: readonly Named[],
): Promise<(one: Named) => boolean> {
  const { tenant } = viewer
  const isAsked = ({ model, id }: Named): boolean =>
    model === undefined && !('unmerge' in work && id !== work.unmerge.into)
  const others = named.filter((one) => !isAsked(one))
  const readable = new Set<string>()
  for (const [model, those] of Map.groupBy(others, (one) => one.model ?? ownModel)) {
    if (!mayOnTable(viewer, model, 'read')) continue
    const ids = [...new Set(those.map(({ id }) => id))]
    const items = access.isLimited(viewer, model, 'read')
      ? await access.permitted(
          viewer,
          model,
          'read',
          await store.getMany(
            tenant,
            ids.map((id) => recordKey(tenant, model, id)),
          ),
        )
      : undefined
    for (const [index, id] of ids.entries()) if (!items || items[index]) readable.add(`${model} ${id}`)
  }
  return (one) => isAsked(one) || readable.has(`${one.model ?? ownModel} ${one.id}`)
}

async function readListed(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  { id, failed, kept, told = 0 }: Pick<Batch, 'id' | 'failed' | 'kept' | 'told'>,
): Promise<Required<PageReport>> {
  const found = {
    failures: [] as RecordFailure[],
    kept: [] as Kept[],
    cancelled: [] as BatchCancelled[],
    returned: [] as ReturnedRecord[],
  }
  const first = (count: number): number => Math.min(count, maxListedOfBatch)
  const isWhole = (): boolean =>
    found.failures.length >= first(failed) &&
    found.kept.length >= first(kept) &&
    found.cancelled.length + found.returned.length >= first(told)
  if (isWhole()) return found
  for await (const { items } of readPages(store, tenant, { pk: batchPagesPartition(tenant, id) })) {
    for (const item of items) {
      const report = readPageReport(item)
      found.failures.push(...report.failures)
      found.kept.push(...report.kept)
      found.cancelled.push(...(report.cancelled ?? []))
      found.returned.push(...(report.returned ?? []))
    }
    if (isWhole()) break
  }
  return {
    failures: found.failures.slice(0, maxListedOfBatch),
    kept: found.kept.slice(0, maxListedOfBatch),
    cancelled: found.cancelled.slice(0, maxListedOfBatch),
    returned: found.returned.slice(0, maxListedOfBatch),
  }
}

/** The same as members of an answer, without empty lists. */
export const toldMembers = ({ cancelled, returned }: Required<PageReport>) => ({
  ...(cancelled.length > 0 && { cancelled_processes: [...cancelled] }),
  ...(returned.length > 0 && { returned: [...returned] }),
})
