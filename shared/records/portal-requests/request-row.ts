import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import { portalListKey, portalRecordKey, portalRequestKey } from '../../platform/store/keys/portal.ts'
import type { Write } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { atRevision, isNew } from '../../platform/store/writes/conditions.ts'

/** The sequence of the ids of requests, which are unique whatever table their records are in. */
export const portalRequestSequence = 'sys_portal_requests'

/** A request that somebody sent in the portal. What it says is in its record. */
export interface PortalRequest {
  readonly id: number
  readonly itemId: number
  readonly model: string
  readonly recordId: number
  /** Who sent it. */
  readonly userId: number
  readonly createdAt: string
  /** Rises with every write of the row. */
  readonly rev: number
  /** Its latest rating: the record that holds it, and which version of which record was rated. */
  readonly rating?: { readonly id: number; readonly recordId: number; readonly version: number }
}

const requestItem = (tenant: TenantRef, request: PortalRequest): Item & Key => ({
  ...portalRequestKey(tenant, request.id),
  kind: 'portal_request',
  v: 1,
  id: request.id,
  item_id: request.itemId,
  model: request.model,
  record_id: request.recordId,
  user_id: request.userId,
  created_at: request.createdAt,
  rev: request.rev,
  ...(request.rating && {
    rating_id: request.rating.id,
    rated_record: request.rating.recordId,
    rated_version: request.rating.version,
  }),
})

/** Reads the row of a request. */
export const readRequest = (item: Item): PortalRequest => ({
  id: Number(item.id),
  itemId: Number(item.item_id),
  model: String(item.model),
  recordId: Number(item.record_id),
  userId: Number(item.user_id),
  createdAt: String(item.created_at),
  rev: Number(item.rev),
  ...(item.rating_id !== undefined && {
    rating: {
      id: Number(item.rating_id),
      recordId: Number(item.rated_record ?? item.record_id),
      version: Number(item.rated_version),
    },
  }),
})

/** A request as the export of a tenant holds it. */
export function exportedRequest(item: Item): object {
  const { id, itemId, model, recordId, userId, createdAt, rating } = readRequest(item)
  return {
    id,
    item_id: itemId,
    model,
    record_id: recordId,
    user_id: userId,
    created_at: createdAt,
    ...(rating && { rating_id: rating.id }),
  }
}

/** The rows of a new request, for the transaction of its record. */
export const newRequestWrites = (tenant: TenantRef, request: PortalRequest): readonly Write[] => [
  { put: requestItem(tenant, request), if: isNew },
  listWrite(tenant, request.userId, request.id),
  {
    put: {
      ...portalRecordKey(tenant, request.model, request.recordId),
      kind: 'portal_record',
      v: 1,
      request_id: request.id,
    },
  },
]

/** The row by which a person's list of requests has this one. */
export const listWrite = (tenant: TenantRef, userId: number, requestId: number): Write => ({
  put: { ...portalListKey(tenant, userId, requestId), kind: 'portal_listed', v: 1, request_id: requestId },
})

/** The write of a request that was read at the `rev` it still has here. */
export const saveRequest = (tenant: TenantRef, request: PortalRequest): Write => ({
  put: requestItem(tenant, { ...request, rev: request.rev + 1 }),
  if: atRevision(request.rev),
})
