import { NotFound } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { portalRequestKey } from '../../../platform/store/keys/portal.ts'
import { readRecord, type StoredRecord } from '../../../platform/store/rows/record-row.ts'
import { commentedRecordKeys, readAdded } from '../../../records/comments/service.ts'
import { type PortalRequest, readRequest } from '../../../records/portal-requests/service.ts'
import type { Field } from '../../../tables/tables/schema.ts'
import type { Table } from '../../../tables/tables/service.ts'
import { isFinalState, itemOf, type PortalItem, stateField } from '../../portal-items/service.ts'
import type { PortalDependencies } from '../dependencies.ts'

/** A request with what it is about. */
export interface OpenedRequest {
  readonly request: PortalRequest
  readonly table: Table
  readonly record: StoredRecord
  /** Undefined once the item is deleted: then title and state are all that is shown. */
  readonly item: PortalItem | undefined
  /** The field of the state that is shown. */
  readonly state: Field | undefined
  readonly isClosed: boolean
  readonly isOwn: boolean
}

/** Reads a request that the caller sent or follows. Throws the same NotFound for every other, and once its record is gone. */
export async function openRequest(
  { records: { store, tables }, config }: PortalDependencies,
  caller: Caller,
  id: number,
): Promise<OpenedRequest> {
  const { tenant, userId } = caller
  const notFound = (): NotFound => new NotFound('portal_request', { id })
  const row = await store.get(tenant, portalRequestKey(tenant, id))
  if (!row) throw notFound()
  const request = readRequest(row)
  const ref = { model: request.model, id: request.recordId }
  const [table, item, [recordItem, discussion]] = await Promise.all([
    tables.find(tenant, request.model),
    itemOf({ config }, tenant, request.itemId),
    store.getMany(tenant, commentedRecordKeys(tenant, ref)),
  ])
  const isOwn = request.userId === userId
  if (!table || (!isOwn && !readAdded(discussion).includes(userId))) throw notFound()
  const record = recordItem?.deleted_at === undefined ? readRecord(recordItem, table) : undefined
  if (!record) throw notFound()
  return { request, table, record, isOwn, ...aboutItem(table, item, record) }
}

/** What an item says of a record. */
export function aboutItem(table: Table, item: PortalItem | undefined, record: StoredRecord) {
  const state = stateField(table, item ?? { state_field: null })
  return { item, state, isClosed: state !== undefined && isFinalState(state, record.data[state.name]) }
}
