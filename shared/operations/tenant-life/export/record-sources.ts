import type { TenantRef } from '../../../kernel/tenancy.ts'
import { allCommentsPartitions, allDiscussionsPartitions } from '../../../platform/store/keys/comments.ts'
import { bucketIds, keyOfItem } from '../../../platform/store/keys/key.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { relationLinksPartitions } from '../../../platform/store/keys/relations.ts'
import { eachBucket } from '../../../platform/store/ranges/record-range.ts'
import { livingAttributes, readRecord, type StoredRecord } from '../../../platform/store/rows/record-row.ts'
import { readSequence } from '../../../platform/store/sequence/sequence.ts'
import { commentSlot, linkSlot, slotName } from '../../../platform/store/slots.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { exportedComment } from '../../../records/comments/rows/comment-row.ts'
import { exportedWatchers } from '../../../records/comments/rows/discussion-row.ts'
import { linkOf } from '../../../records/relations/links/link-rows.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { rangeSource, type Source } from './source.ts'

/** Records may be large, so few buckets of ids make a page. */
const idsPerPage = 4 * bucketIds

/** A record as the export of a tenant holds it. */
function exportedRecord(item: Item, table: Table): object {
  const { mergedInto, mergedFrom, unmergedBy: _, ...record } = readRecord(item, table) as StoredRecord
  return {
    ...record,
    ...(mergedInto !== undefined && { merged_into: mergedInto }),
    ...(mergedFrom && { merged_from: mergedFrom }),
  }
}

/** The living records of a table by id, with the values of retired fields, and those that were merged into others. */
export const recordsSource = (store: Pick<Store, 'get' | 'query'>, tenant: TenantRef, table: Table): Source => {
  const model = table.name
  return {
    name: `records/${model}`,
    async read(cursor) {
      const from = cursor?.at ?? 0
      const { last } = await readSequence(store, tenant, model)
      const to = Math.min(last, from + idsPerPage - 1)
      const rows: object[] = []
      for await (const items of eachBucket(store, tenant, { model, from, to })) {
        for (const item of items) if (item.deleted_at === undefined) rows.push(exportedRecord(item, table))
      }
      return { rows: [{ file: `records/${model}`, rows }], next: to < last ? { at: to + 1 } : null }
    },
  }
}

/** The links of a relation: the ids of both records. */
export const linksSource = (store: Pick<Store, 'query'>, tenant: TenantRef, relationId: number): Source => {
  const file = `relations/${relationId}`
  const ranges = relationLinksPartitions(tenant, relationId).map((pk) => ({ pk, index: slotName(linkSlot) }))
  return rangeSource(store, tenant, file, ranges, (items) => [{ file, rows: items.map(linkOf) }])
}

/**
 * The comments on all records that are not deleted, and who was added to their watchers or does not want to be one. Those of
 * deleted ones are only kept for their return.
 */
export const discussionSources = (store: Pick<Store, 'getMany' | 'query'>, tenant: TenantRef): Source[] => {
  const source = (file: string, partitions: readonly string[], toRow: (item: Item) => object): Source => {
    const ranges = partitions.map((pk) => ({ pk, index: slotName(commentSlot) }))
    return rangeSource(store, tenant, file, ranges, async (entries) => {
      const found = (await store.getMany(tenant, entries.map(keyOfItem))).filter((item) => item !== undefined)
      const recordKeys = found.map(({ model, record_id: id }) => recordKey(tenant, String(model), Number(id)))
      const distinct = new Map(recordKeys.map((key) => [`${key.pk} ${key.sk}`, key]))
      const records = await store.getMany(tenant, [...distinct.values()], livingAttributes)
      const living = new Set(
        records.flatMap((one) => (one && one.deleted_at === undefined ? [`${one.pk} ${one.sk}`] : [])),
      )
      const rows = found
        .filter((_, index) => living.has(`${recordKeys[index]?.pk} ${recordKeys[index]?.sk}`))
        .map(toRow)
      return [{ file, rows }]
    })
  }
  return [
    source('comments', allCommentsPartitions(tenant), exportedComment),
    source('watchers', allDiscussionsPartitions(tenant), exportedWatchers),
  ]
}
