import { Conflict } from '../../../kernel/failures/faults.ts'
import { mayOnTable } from '../../../kernel/permissions.ts'
import type { Viewer } from '../../../kernel/principal.ts'
import { mayFail } from '../../../kernel/runtime/log.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { recordKey, retentionKey, tombstoneKey } from '../../../platform/store/keys/records.ts'
import {
  endRetention,
  hasRetainedLinks,
  isEnding,
  isRetention,
  retain,
  retainedUntil,
} from '../../../platform/store/rows/retention-row.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import type { CountedDiscussion, RecordDependencies } from '../dependencies.ts'
import type { ReturnedWithRecord } from '../schema.ts'

/** For so long a request brings links back, or removes what it may not bring back. */
const requestMs = 5_000
/** After so long the sweeper has the cleanup continue. */
export const continuedAfterMs = 60_000
/** Links that a preview counts. */
const maxCounted = 1000

type Dependencies = Pick<RecordDependencies, 'store' | 'clock' | 'links' | 'discussions'>

/** What hung on a deleted record, and returns with it. */
export interface Returned extends CountedDiscussion {
  readonly links: number
  /** Links to records that are deleted themselves: they return with these. */
  readonly waitingLinks: number
  /** More links return in the background. */
  readonly isPending: boolean
}

/** The same for a viewer of the record. */
export const describeReturned = (
  viewer: Pick<Viewer, 'isAdministrator' | 'permissions'>,
  model: string,
  { comments, internalComments, watchers, links, waitingLinks, isPending }: Returned,
): ReturnedWithRecord => ({
  comments: comments + (mayOnTable(viewer, model, 'comment_internal') ? internalComments : 0),
  watchers,
  links,
  waiting_links: waitingLinks,
  is_pending: isPending,
})

const nothing: Returned = {
  comments: 0,
  internalComments: 0,
  watchers: 0,
  links: 0,
  waitingLinks: 0,
  isPending: false,
}

/**
 * Continues with what is retained of a record: it returns when the record lives, waits while it may be restored, and goes for
 * good after that. Idempotent, also when two calls overlap.
 */
export async function continueRetention(
  records: Dependencies,
  tenant: Tenant,
  model: string,
  id: number,
  timeIsUp: () => boolean,
): Promise<'finished' | 'unfinished' | 'nothing to do'> {
  const { store, clock } = records
  const [record, tombstone, found] = await store.getMany(tenant, [
    recordKey(tenant, model, id),
    tombstoneKey(tenant, model, id),
    retentionKey(tenant, model, id),
  ])
  if (!found) return 'nothing to do'
  const deletedAt = record ? record.deleted_at : tombstone?.deleted_at
  const again = async (dueAtMs: number) => {
    const due = retain(tenant, model, id, { dueAtMs, writeId: clock.uuid() }, isRetention(found))
    await wasApplied(store.write(tenant, isEnding(found) ? { ...due, if: isRetention(found) } : due))
    return 'unfinished' as const
  }
  if (record && deletedAt === undefined) {
    const { isDone } = await records.links.returnRetainedLinks(tenant, model, id, timeIsUp)
    return isDone ? settle(records, tenant, model, id, found) : again(clock.now() + continuedAfterMs)
  }
  const untilMs = deletedAt === undefined ? 0 : retainedUntil(String(deletedAt))
  if (!isEnding(found) && clock.now() < untilMs) return again(untilMs)
  if (!(await wasApplied(store.write(tenant, endRetention(tenant, model, id, found))))) return 'unfinished'
  const gone = { model, id, ...(deletedAt !== undefined && { deletedAt: String(deletedAt) }) }
  const isEmpty =
    (await records.links.removeRetainedLinks(tenant, model, id, timeIsUp)) &&
    (await records.discussions.remove(tenant, gone, timeIsUp))
  return isEmpty ? settle(records, tenant, model, id, found) : again(clock.now() + continuedAfterMs)
}

/** Nothing is retained any more, unless the record was deleted again meanwhile. */
async function settle({ store }: Dependencies, tenant: Tenant, model: string, id: number, row: Item) {
  await wasApplied(store.write(tenant, { remove: retentionKey(tenant, model, id), if: isRetention(row) }))
  return 'finished' as const
}

/**
 * The row of what is retained of a record that is to return; undefined when there is nothing. What is older than thirty days
 * goes first, so that nothing returns in part. Throws Conflict while that lasts.
 */
export async function readRetention(
  records: Dependencies,
  tenant: Tenant,
  model: string,
  id: number,
  deletedAt: string,
): Promise<Item | undefined> {
  const { store, clock } = records
  const read = () => store.get(tenant, retentionKey(tenant, model, id))
  const found = await read()
  if (!found || (!isEnding(found) && clock.now() < retainedUntil(deletedAt))) return found
  await continueRetention(records, tenant, model, id, timer(records))
  if (await read())
    throw new Conflict(
      'record_busy',
      'The comments and links of the record are older than 30 days and are just being removed. Try again in a minute.',
    )
  return undefined
}

/** What came back with a record; links do so after it. `row`: what `readRetention` found. */
export async function bringBack(
  records: Dependencies,
  tenant: Tenant,
  model: string,
  id: number,
  row: Item | undefined,
): Promise<Returned> {
  if (!row) return nothing
  const discussion = await records.discussions.count(tenant, model, id)
  if (!hasRetainedLinks(row)) return { ...nothing, ...discussion }
  const { store } = records
  // The record is back: what fails here is continued by the cleanup.
  const links = await mayFail('bring the links of a record back', async () => {
    const noted = await store.get(tenant, retentionKey(tenant, model, id))
    const found = await records.links.returnRetainedLinks(tenant, model, id, timer(records))
    if (found.isDone && noted) await settle(records, tenant, model, id, noted)
    return found
  })
  return {
    ...discussion,
    links: links?.returned ?? 0,
    waitingLinks: links?.waiting ?? 0,
    isPending: links?.isDone !== true,
  }
}

/** What would come back with a record: at most 1,000 links are counted. */
export async function previewRetained(
  { store, clock, links, discussions }: Dependencies,
  tenant: Tenant,
  model: string,
  id: number,
  deletedAt: string,
): Promise<Returned> {
  const row = await store.get(tenant, retentionKey(tenant, model, id))
  if (!row || isEnding(row) || clock.now() >= retainedUntil(deletedAt)) return nothing
  const [discussion, count] = await Promise.all([
    discussions.count(tenant, model, id),
    hasRetainedLinks(row) ? links.countRetainedLinks(tenant, model, id, maxCounted) : 0,
  ])
  return { ...nothing, ...discussion, links: count }
}

function timer({ clock }: Pick<Dependencies, 'clock'>): () => boolean {
  const endsAt = clock.now() + requestMs
  return () => clock.now() > endsAt
}
