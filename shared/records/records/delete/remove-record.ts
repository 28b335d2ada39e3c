import { Conflict, PreconditionFailed } from '../../../kernel/failures/faults.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { readAfterDue } from '../../../platform/store/rows/record-row.ts'
import { wasReferredTo } from '../../../platform/store/rows/reference-guard-row.ts'
import { retainedUntil } from '../../../platform/store/rows/retention-row.ts'
import { moveRecordCount } from '../../../platform/store/sequence/recount.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { ConditionFailed } from '../../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { hasTreeChanged } from '../../../tables/org-units/tree.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Actor } from '../actor.ts'
import type { RecordDependencies } from '../dependencies.ts'
import type { HookedOperation } from '../hooks/hooked-operation.ts'
import {
  goneRecord,
  isKnownVersion,
  lookedAtAgain,
  markedItem,
  readBeforeDelete,
  readChangedAt,
  readLivingRecord,
  type StoredRecord,
  toldToWatchers,
  touchedRollups,
  visibleData,
} from '../record-item.ts'
import type { ChangeOptions } from '../write/change-record.ts'
import { saveRecord, unchangedAt } from '../write/save-record.ts'
import { leaveTree } from '../write/tree-writes.ts'
import { guardWrites } from '../write/unique-guards.ts'
import { clearReferences, findReferences } from './clear-references.ts'
import { finishRemoval, type MarkedRecord } from './finish-removal.ts'
import { requireUnrestricted } from './restricting-references.ts'

/** References that a request clears itself. With more, the record cleanup takes over. */
const inlineReferences = 100
/** The same for links. */
const inlineLinks = 500
/** How many processes that end with a record are named. */
const maxNamedProcesses = 100
/** After this time the sweeper queues a delete that has not finished. */
const dueAfterMs = 60_000

export interface RemoveOptions extends ChangeOptions {
  /**
   * Whether the error may name a record of this table that refers through this field: false when the permission, a row
   * rule or a field rule may hide it.
   */
  readonly mayName?: (table: string, field: string) => boolean
}

/**
 * Deletes a record in four steps: mark it, clear references, replace it by a tombstone, run the after hooks. Marking
 * removes it from every list, frees its unique values and lowers the count; from then on it is invisible. Links, comments and
 * watchers are retained for its return. The record cleanup finishes what a request leaves open, and the sweeper finds what
 * a crash left open. Answers the process instances that the delete cancels. Throws NotFound, Invalid, Conflict and
 * PreconditionFailed.
 */
export async function removeRecord(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  id: number,
  options: RemoveOptions = {},
): Promise<readonly number[]> {
  // Check the permission first: an actor who may not see the record must not learn what refers to it.
  if (options.permit)
    await options.permit(
      options.preloaded === undefined
        ? await records.store.get(actor.tenant, recordKey(actor.tenant, table.name, id))
        : options.preloaded,
    )
  const operation = await records.hooks.begin(actor, table, 'delete')
  const [refusing, referring, links, cancels] = await Promise.all([
    requireUnrestricted(records, actor.tenant, table, id, options.mayName),
    findReferences(records, actor.tenant, table, id, inlineReferences + 1),
    records.links.linksOfRecord(actor.tenant, table.name, id, inlineLinks + 1),
    cancelledWith(records, actor, table, id),
  ])
  const references = referring.reduce((sum, { ids }) => sum + ids.length, 0)
  const inBackground = references > inlineReferences || links.length > inlineLinks
  const marked = await markRecord(records, actor, table, id, options, operation, {
    refusing,
    queued: inBackground,
    isReferred: referring.length > 0,
    cancels,
  })
  if (inBackground) return cancels
  await clearReferences(records, actor, marked, referring)
  // Again until a look finds nothing: a reference may have been written after the first look and before the mark.
  for (let cleared = 1; cleared > 0;) {
    const left = await findReferences(records, actor.tenant, table, id, inlineReferences)
    cleared = await clearReferences(records, actor, marked, left)
  }
  if (links.length > 0)
    await records.links.retainLinks(actor.tenant, table.name, id, retainedUntil(marked.deletedAt), () => false)
  const tombstone = await finishRemoval(records, actor, table, marked)
  if (tombstone) await operation.after(marked, { ...marked, version: marked.version - 1 }, tombstone)
  return cancels
}

/** The processes that end with a record, as far as its tombstone names them. */
const cancelledWith = async (
  records: RecordDependencies,
  { tenant }: Actor,
  { name: model, has_processes }: Table,
  id: number,
): Promise<readonly number[]> =>
  has_processes ? (await records.processesOf(tenant, { model, id })).slice(0, maxNamedProcesses) : []

/**
 * Whether a delete would succeed, without writing anything, and which process instances it would cancel. The before_delete
 * hooks run. Throws as `removeRecord` does.
 */
export async function previewRemoval(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  id: number,
  { permit, mayName }: Pick<RemoveOptions, 'permit' | 'mayName'>,
): Promise<readonly number[]> {
  const { tenant } = actor
  const current = await records.store.get(tenant, recordKey(tenant, table.name, id))
  const before = readLivingRecord(current, table)
  await permit?.(current)
  if (!before) throw goneRecord(table.name, id, current)
  requireNothingMerged(table, before)
  const operation = await records.hooks.begin(actor, table, 'delete')
  await requireUnrestricted(records, tenant, table, id, mayName)
  await leaveTree(records, tenant, table, id)
  const data = visibleData(table, before.data)
  if (operation.hasBefore) await operation.before({ id, data, old: data, record: before })
  return cancelledWith(records, actor, table, id)
}

/** A record whose part others are would take them along. */
function requireNothingMerged({ name }: Table, { id, mergedFrom = [] }: StoredRecord): void {
  if (mergedFrom.length === 0) return
  throw new Conflict(
    'record_has_merged',
    `${name} ${mergedFrom.join(', ')} ${mergedFrom.length === 1 ? 'was' : 'were'} merged into ${name} ${id}. Unmerge first what you want to keep or delete by itself.`,
    { details: { merged_from: mergedFrom } },
  )
}

interface Marking {
  /** The writes that refuse references from then on. */
  readonly refusing: readonly Write[]
  /** The record cleanup finishes the delete. */
  readonly queued: boolean
  /** Fields could refer to it with `on_delete: set_null`: those that the index did not tell of yet are looked for later. */
  readonly isReferred: boolean
  /** The processes that end with it. */
  readonly cancels: readonly number[]
}

async function markRecord(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  id: number,
  { preloaded, ifMatch, permit, extraWrites = [], writesWith, mayName }: RemoveOptions,
  operation: HookedOperation,
  { refusing, queued, isReferred, cancels }: Marking,
): Promise<MarkedRecord> {
  const { store, clock, files } = records
  const { tenant } = actor
  let current: Item | null | undefined =
    preloaded === undefined ? await store.get(tenant, recordKey(tenant, table.name, id)) : preloaded
  let approvedVersion: number | undefined
  let refusesReferences = refusing
  return retryWithJitter(clock, async (again) => {
    const before = readLivingRecord(current, table)
    await permit?.(current)
    if (!before) throw goneRecord(table.name, id, current)
    requireNothingMerged(table, before)
    if (ifMatch && !isKnownVersion(ifMatch, current as Item)) throw new PreconditionFailed(before.version)
    if (operation.hasBefore && approvedVersion !== before.version) {
      const data = visibleData(table, before.data)
      await operation.before({ id, data, old: data, record: before })
      approvedVersion = before.version
    }
    const treeWrites = await leaveTree(records, tenant, table, id)
    const now = Math.max(clock.now(), Date.parse(readChangedAt(current as Item)))
    const pendingBefore = readAfterDue(current)
    const deleted = { ...before, version: before.version + 1, deletedAt: isoTime(now), deletedBy: actor.userId }
    const { sameSince } = readBeforeDelete(current as Item)
    const marked: MarkedRecord = {
      ...deleted,
      ...(sameSince !== undefined && { sameSince }),
      cancels,
      afterDue: operation.pendingHooks(deleted, before, pendingBefore),
    }
    const removal = { dueAt: isoTime(now + dueAfterMs), queued, round: 1 }
    const item = {
      ...markedItem(table, marked, actor, clock.uuid(), removal),
      ...touchedRollups(table, before.data),
      ...toldToWatchers,
      ...(isReferred && lookedAtAgain),
    }
    const dropped = files.writes(tenant, table, marked, before.data, undefined)
    try {
      const guards = guardWrites(tenant, table, id, before.data, undefined)
      const others = [
        moveRecordCount(tenant, table.name, [id], -1),
        ...dropped.writes,
        ...operation.intents(),
        ...treeWrites,
        ...refusesReferences,
        ...extraWrites,
        ...(writesWith?.(deleted) ?? []),
      ]
      await operation.withRunLog(
        saveRecord(store, tenant, item, unchangedAt(before.version, pendingBefore), guards, others),
      )
      await files.cleanUp(tenant, dropped)
      return marked
    } catch (error) {
      if (hasTreeChanged(error)) return again(error as Error)
      if (wasReferredTo(error)) {
        refusesReferences = await requireUnrestricted(records, tenant, table, id, mayName)
        return again(error)
      }
      if (!(error instanceof ConditionFailed)) throw error
      current = error.existing ?? null
      return again(error)
    }
  })
}
