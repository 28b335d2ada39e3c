import { Conflict, NotFound } from '../../../kernel/failures/faults.ts'
import { say } from '../../../kernel/failures/sentence.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { readChangedAt, readLivingRecord } from '../../../platform/store/rows/record-row.ts'
import { isRefusal } from '../../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { describeRows } from '../../../records/history/describe-changes.ts'
import { readHistoryRows } from '../../../records/history/read-history-rows.ts'
import { saveRequest } from '../../../records/portal-requests/request-row.ts'
import { changeRecord } from '../../../records/records/write/change-record.ts'
import { prepareNewRecord, storeNewRecord } from '../../../records/records/write/create-record.ts'
import { isFinalState } from '../../../tables/field-types/read-field.ts'
import { actingFor, type PortalDependencies } from '../dependencies.ts'
import type { PortalRating, RatingInput } from '../schema.ts'
import { type OpenedRequest, withRequest } from './open-request.ts'
import { titleOf } from './shown-record.ts'

/** The built-in table of ratings, over which administrators report. */
export const ratingsTable = 'sys_ratings'

/** The rating of the closing in which a request is; null while it is open, or was not rated since it was closed. */
export async function ratingOf(
  services: PortalDependencies,
  caller: Caller,
  opened: OpenedRequest,
): Promise<PortalRating | null> {
  const { rating } = opened.request
  if (!opened.isClosed || !rating || !(await isOfThisClosing(services, caller, opened))) return null
  const { store, tables } = services.records
  const table = await tables.require(caller.tenant, ratingsTable)
  const record = readLivingRecord(
    await store.get(caller.tenant, recordKey(caller.tenant, ratingsTable, rating.id)),
    table,
  )
  if (!record) return null
  const { stars, comment } = record.data
  return { stars: Number(stars), comment: typeof comment === 'string' ? comment : null, rated_at: record.updated_at }
}

/** Whether a closed request has stayed closed since it was rated: its history says so. */
async function isOfThisClosing(
  { records, fetchObject }: PortalDependencies,
  { tenant }: Caller,
  { request, survivor, state, table }: OpenedRequest,
): Promise<boolean> {
  const { rating } = request
  // What was rated before a merge or an unmerge was another record's closing.
  if (rating?.recordId !== survivor.id) return false
  const from = rating.version + 1
  if (!state || from > survivor.version) return true
  const item = await records.store.get(tenant, recordKey(tenant, request.model, survivor.id))
  const range = { model: request.model, id: survivor.id, from, to: survivor.version }
  const changedAt = item ? readChangedAt(item) : survivor.updated_at
  const { rows } = await readHistoryRows(records, tenant, { ...range, changedAt })
  const entries = await describeRows({ store: records.store, fetchObject }, tenant, rows, {
    tableOf: () => table,
    readable: new Set([state.name]),
  })
  return entries.every(({ changes }) =>
    Object.values(changes).every((change) => isFinalState(state, change.old) && isFinalState(state, change.new)),
  )
}

/**
 * Rates a closed request of the caller: one rating each time it is closed, which may be changed until it is reopened. It
 * is a record of `sys_ratings`. Throws NotFound, Invalid, and Conflict while the request is open.
 */
export const rateRequest = (
  services: PortalDependencies,
  caller: Caller,
  id: number,
  input: RatingInput,
): Promise<void> =>
  retryWithJitter(services.records.clock, (again) =>
    withRequest(services, caller, id, async (opened) => {
      try {
        await rateOpened(services, caller, opened, input)
      } catch (error) {
        // Its requester rated it a moment ago: that rating is changed.
        if (isRefusal(error)) again(error)
        throw error
      }
    }),
  )

async function rateOpened(
  services: PortalDependencies,
  caller: Caller,
  opened: OpenedRequest,
  { stars, comment }: RatingInput,
): Promise<void> {
  const { request, record, survivor, table, item, isClosed, isOwn } = opened
  if (!isOwn) throw new NotFound('portal_request', { id: request.id })
  if (!isClosed) throw new Conflict('request_open', say('rated_too_early', {}))
  const { records } = services
  const { tenant } = caller
  const actor = actingFor(caller)
  const ratings = await records.tables.require(tenant, ratingsTable)
  const said = { stars, comment: comment ?? null }
  if (request.rating && (await isOfThisClosing(services, caller, opened))) {
    try {
      await changeRecord(records, actor, ratings, request.rating.id, said)
      return
    } catch (error) {
      // Somebody deleted it: it is rated anew.
      if (!(error instanceof NotFound)) throw error
    }
  }
  const prepared = await prepareNewRecord(records, actor, ratings, {
    ...said,
    title: titleOf(table, item, record),
    item: item?.name ?? null,
    request_id: request.id,
    model: request.model,
    record_id: request.recordId,
  })
  await storeNewRecord(records, actor, ratings, prepared, {
    extraWrites: (rating) => [
      saveRequest(tenant, {
        ...request,
        rating: { id: rating.id, recordId: survivor.id, version: survivor.version },
      }),
    ],
  })
}
