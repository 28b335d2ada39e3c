import type { RowAccess } from '../../../accounts/access/service.ts'
import { maxListedOfBatch } from '../../../kernel/limits/imports.ts'
import { mayOnTable } from '../../../kernel/permissions.ts'
import type { Viewer } from '../../../kernel/principal.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { batchPagesPartition } from '../../../platform/store/keys/batches.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { readPages } from '../../../platform/store/ranges/read-all.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Kept, RecordFailure } from '../schema.ts'
import type { Batch } from './batch-row.ts'
import { type PageReport, readPageReport } from './page-row.ts'

interface Dependencies {
  readonly store: Pick<Store, 'query' | 'getMany'>
  readonly access: Pick<RowAccess, 'isLimited' | 'permitted'>
}

/**
 * What there is to say of the records of a batch: the first failures, and the first that an undo left alone. A merge or a
 * delete reaches records that its actor may not read: those are counted, and not named.
 */
export async function readReport(services: Dependencies, viewer: Viewer, batch: Batch): Promise<PageReport> {
  const { failures, kept } = await readListed(services.store, viewer.tenant, batch)
  const mayRead = await openReadable(services, viewer, batch, [...failures, ...kept])
  return { failures: failures.filter(mayRead), kept: kept.filter(mayRead) }
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
  { id, failed, kept }: Pick<Batch, 'id' | 'failed' | 'kept'>,
): Promise<PageReport> {
  const found: { readonly failures: RecordFailure[]; readonly kept: Kept[] } = { failures: [], kept: [] }
  const wanted = { failures: Math.min(failed, maxListedOfBatch), kept: Math.min(kept, maxListedOfBatch) }
  if (wanted.failures + wanted.kept === 0) return found
  for await (const { items } of readPages(store, tenant, { pk: batchPagesPartition(tenant, id) })) {
    for (const item of items) {
      const report = readPageReport(item)
      found.failures.push(...report.failures)
      found.kept.push(...report.kept)
    }
    if (found.failures.length >= wanted.failures && found.kept.length >= wanted.kept) break
  }
  return { failures: found.failures.slice(0, maxListedOfBatch), kept: found.kept.slice(0, maxListedOfBatch) }
}
