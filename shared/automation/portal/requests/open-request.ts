import { Conflict, NotFound } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { discussionKey } from '../../../platform/store/keys/comments.ts'
import { portalRequestKey } from '../../../platform/store/keys/portal.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { readMergeChain } from '../../../platform/store/ranges/merged-records.ts'
import {
  readRecord,
  readRecordHead,
  type RecordHead,
  type StoredRecord,
} from '../../../platform/store/rows/record-row.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { readAdded } from '../../../records/comments/rows/discussion-row.ts'
import { ownWords } from '../../../records/follow/own-words.ts'
import { type PortalRequest, readRequest } from '../../../records/portal-requests/request-row.ts'
import { isFinalState } from '../../../tables/field-types/read-field.ts'
import type { Field } from '../../../tables/tables/schema.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { type PortalItem, stateField } from '../../portal-items/portal-item.ts'
import { itemOf } from '../../portal-items/portal-items.ts'
import type { PortalDependencies } from '../dependencies.ts'

/** A request with what it is about. */
export interface OpenedRequest {
  readonly request: PortalRequest
  readonly table: Table
  /**
   * What the requester knows of it: the values of their own record, without what merges brought into it, and the state of
   * the one that it was merged into.
   */
  readonly record: StoredRecord
  /** The record where it is taken care of: the one that its own was merged into, else its own. */
  readonly survivor: RecordHead
  /** The rows from the one to the other. */
  readonly chain: readonly Item[]
  /** Undefined once the item is deleted: then title and state are all that is shown. */
  readonly item: PortalItem | undefined
  /** The field of the state that is shown. */
  readonly state: Field | undefined
  readonly isClosed: boolean
  readonly isOwn: boolean
}

/** Reads a request that the caller sent or follows. Throws the same NotFound for every other, and once its record is gone. */
export async function openRequest(services: PortalDependencies, caller: Caller, id: number): Promise<OpenedRequest> {
  const { store } = services.records
  const { tenant, userId } = caller
  const row = await store.get(tenant, portalRequestKey(tenant, id))
  const request = row && readRequest(row)
  const [item, discussion] = request
    ? await store.getMany(tenant, [
        recordKey(tenant, request.model, request.recordId),
        discussionKey(tenant, request.model, request.recordId),
      ])
    : []
  const isVisible = request && (request.userId === userId || readAdded(discussion).includes(userId))
  const opened = isVisible && (await describeOpened(services, caller, request, item))
  if (!opened) throw new NotFound('portal_request', { id })
  return opened
}

/** A request of the caller with what its record says, whose row is `first`; undefined once that is gone. */
export async function describeOpened(
  services: PortalDependencies,
  { tenant, userId }: Caller,
  request: PortalRequest,
  first: Item | undefined,
): Promise<OpenedRequest | undefined> {
  const { store, tables } = services.records
  if (!first) return undefined
  const ref = { model: request.model, id: request.recordId }
  const [table, item, chain] = await Promise.all([
    tables.find(tenant, request.model),
    itemOf(services, tenant, request.itemId),
    readMergeChain(store, tenant, ref, first),
  ])
  const last = chain?.at(-1)
  if (!table || !chain || !last) return undefined
  const survivor = readRecord(last, table) as StoredRecord
  const own = await ownWords({ ...services.records, fetchObject: services.fetchObject }, tenant, table, first)
  const about = aboutItem(table, item, survivor)
  const { state } = about
  const data = state ? { ...own, [state.name]: survivor.data[state.name] } : own
  const record = { ...survivor, id: ref.id, data }
  return { request, table, record, survivor: readRecordHead(last), chain, isOwn: request.userId === userId, ...about }
}

/** What an item says of a record. */
export function aboutItem(table: Table, item: PortalItem | undefined, record: Pick<StoredRecord, 'data'>) {
  const state = stateField(table, item ?? { state_field: null })
  return { item, state, isClosed: state !== undefined && isFinalState(state, record.data[state.name]) }
}

/**
 * Does something with a request where it is taken care of. When that is merged meanwhile, it is done where it went: whoever
 * asks knows neither tables nor records. Throws NotFound as `openRequest`, and what the work throws.
 */
export async function withRequest<T>(
  services: PortalDependencies,
  caller: Caller,
  id: number,
  work: (opened: OpenedRequest) => Promise<T>,
): Promise<T> {
  return retryWithJitter(services.records.clock, async (again) => {
    const opened = await openRequest(services, caller, id)
    try {
      return await work(opened)
    } catch (error) {
      const isElsewhere =
        (error instanceof Conflict && error.code === 'record_merged') ||
        (error instanceof NotFound && error.code === 'record_not_found')
      if (isElsewhere) return again(new Error('the request is taken care of elsewhere by now', { cause: error }))
      throw error
    }
  })
}
