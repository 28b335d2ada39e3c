import type { VersionMatch } from '../../../kernel/failures/concurrent-change.ts'
import { Invalid, PreconditionFailed } from '../../../kernel/failures/faults.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { afterChange, type ConversationParts, type Side } from '../../../platform/store/rows/conversation-state.ts'
import { conversationWrite } from '../../../platform/store/rows/derived-version.ts'
import { readAfterDue } from '../../../platform/store/rows/record-row.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { ConditionFailed } from '../../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { isClosedRecord } from '../../../tables/field-types/read-field.ts'
import { withComputed } from '../../../tables/formulas/service.ts'
import { hasTreeChanged } from '../../../tables/org-units/tree.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Actor } from '../actor.ts'
import type { RecordDependencies } from '../dependencies.ts'
import { type HookedOperation, noHooks } from '../hooks/hooked-operation.ts'
import { pendingAttributes } from '../hooks/pending-hooks.ts'
import {
  goneRecord,
  isKnownVersion,
  newerOf,
  readChangedAt,
  readLivingRecord,
  type RecordData,
  recordItem,
  type StoredRecord,
  toldToWatchers,
  touchedRollups,
  visibleData,
} from '../record-item.ts'
import { openRules } from '../rules/open-rules.ts'
import {
  type ChangeCheck,
  changedFields,
  checkChangedFields,
  checkHookedFields,
  withGenerated,
} from './check-fields.ts'
import { requireReferences } from './check-references.ts'
import { collectErrors } from './collect-errors.ts'
import { fieldAccess, mayRead } from './field-access.ts'
import { requireUndeleted } from './note-restricting.ts'
import { pendingHooksDueAt, saveRecord, tellsWatchers, unchangedAt } from './save-record.ts'
import { explained } from './taken-values.ts'
import { moveInTree } from './tree-writes.ts'
import { findTaken, guardWrites } from './unique-guards.ts'

export interface ChangeOptions {
  /** The record's item as read with the caller; null when there is none, undefined when it was not read. */
  readonly preloaded?: Item | null
  readonly ifMatch?: VersionMatch
  /** Throws when the actor may not write the current record. */
  readonly permit?: (item: Item | null | undefined) => Promise<void>
  /** When this answers false, the record is left unchanged. */
  readonly onlyIf?: (data: RecordData) => boolean
  /** For changes that no script may refuse, such as clearing references to a deleted record. */
  readonly withoutHooks?: boolean
  /** For a restore: the state of then comes back without a transition, whatever conditions say now. */
  readonly restores?: boolean
  /** For changes that no condition of a field may refuse, such as clearing references to a deleted record. */
  readonly withoutConditions?: boolean
  /** For values that the actor's own rights do not limit: cleared references, the form of a task offered to them. */
  readonly withoutFieldRules?: boolean
  /** Writes in the same transaction. An update that changes nothing makes them only with `alwaysMakesExtraWrites`. */
  readonly extraWrites?: readonly Write[]
  readonly alwaysMakesExtraWrites?: boolean
  /** What goes with `extraWrites` when the update changes nothing: a check that the record lives, for example. */
  readonly writesWhenUnchanged?: (before: StoredRecord) => readonly Write[]
  /** Further writes in the same transaction, made for the version that is about to be stored. */
  readonly writesWith?: (after: StoredRecord) => readonly Write[]
  /** The records that are merged into it afterwards. The version is written also when no field changes. */
  readonly mergedFrom?: (before: StoredRecord) => readonly number[]
  /** Its conversations afterwards: a message goes with it, or a merge. A message makes a version of its own when no field changes. */
  readonly conversation?: {
    /** Who wrote the message. */
    readonly by?: Side
    readonly after: (before: StoredRecord, data: RecordData) => ConversationParts | undefined
  }
}

/**
 * Updates a record: merges the supplied fields, runs before_update hooks, validates, and saves on condition that the
 * version is unchanged. After a write conflict it repeats all of that on the current record, for up to three seconds;
 * so concurrent updates of different fields both survive. An update that changes nothing leaves the record as it is. Throws
 * NotFound, Invalid, PreconditionFailed, Conflict, and TransactionRefused when a condition of `extraWrites` fails.
 */
export async function changeRecord(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  id: number,
  body: RecordData,
  options: ChangeOptions = {},
): Promise<StoredRecord> {
  const { store, clock } = records
  const { tenant } = actor
  const operation = options.withoutHooks ? noHooks : await records.hooks.begin(actor, table, 'update')
  let current =
    options.preloaded === undefined ? await store.get(tenant, recordKey(tenant, table.name, id)) : options.preloaded
  let checked: { readonly version: number; readonly data: RecordData } | undefined
  return retryWithJitter(clock, async (again) => {
    const before = readLivingRecord(current, table)
    await options.permit?.(current)
    if (!before) throw goneRecord(table.name, id, current)
    if (options.ifMatch && !isKnownVersion(options.ifMatch, current as Item))
      throw new PreconditionFailed(before.version)
    if (options.onlyIf && !options.onlyIf(before.data)) return before
    // Same version: only the pending hooks of an earlier write were cleared, so the checked data is still valid.
    if (checked?.version !== before.version)
      checked = { version: before.version, data: await merge(records, actor, table, before, body, operation, options) }
    // A record from before the field gets its number with its first change, or from the rebuild.
    const data = withGenerated(table, id, checked.data)
    const changed = changedFields(before.data, data)
    const conversation = conversationAfter(table, before, data, options)
    if (changed.length === 0 && !options.mergedFrom) {
      const at = isoTime(Math.max(clock.now(), Date.parse(readChangedAt(current as Item))))
      const by = options.conversation?.by
      const message =
        by && conversationWrite(tenant, table, current as Item, { parts: conversation, by, at, writeId: clock.uuid() })
      const after = message ? { ...before, version: before.version + 1, ...(conversation && { conversation }) } : before
      if (message || options.alwaysMakesExtraWrites) {
        const others = [...(options.extraWrites ?? []), ...(options.writesWhenUnchanged?.(after) ?? [])]
        await store.transact(tenant, [...(message ? [message] : []), ...others], clock.uuid())
      }
      return after
    }
    const { conversation: _, ...others } = before
    const changedRecord: StoredRecord = {
      ...others,
      data,
      updated_by: actor.userId,
      updated_at: isoTime(Math.max(clock.now(), Date.parse(readChangedAt(current as Item)))),
      version: before.version + 1,
      ...(options.mergedFrom && { mergedFrom: options.mergedFrom(before) }),
    }
    const after: StoredRecord = { ...changedRecord, ...(conversation && { conversation }) }
    const pendingBefore = readAfterDue(current)
    const pendingAfter = operation.pendingHooks(after, before, pendingBefore)
    const item = {
      ...recordItem(table, after, actor, clock.uuid()),
      ...touchedRollups(table, before.data, data),
      ...(tellsWatchers(actor, table, changed) && toldToWatchers),
      ...pendingAttributes(tenant, table.name, id, pendingAfter, pendingHooksDueAt(clock)),
    }
    await requireUndeleted(records, tenant, table, { ...after, before: before.data })
    const files = records.files.writes(tenant, table, after, before.data, data)
    const treeWrites = await moveInTree(records, tenant, table, id, before.data, data)
    try {
      const guards = guardWrites(tenant, table, id, before.data, data)
      await operation.withRunLog(
        saveRecord(store, tenant, item, unchangedAt(before.version, pendingBefore), guards, [
          ...files.writes,
          ...operation.intents(),
          ...treeWrites,
          ...(options.extraWrites ?? []),
          ...(options.writesWith?.(after) ?? []),
        ]),
      )
    } catch (error) {
      if (hasTreeChanged(error)) return again(error as Error)
      if (!(error instanceof ConditionFailed)) throw await explained(records, actor, table, data, error)
      current = error.existing ?? null
      return again(error)
    }
    await records.files.cleanUp(tenant, files)
    return newerOf(table, after, await operation.after(after, before, item))
  })
}

/** The conversations of a record after a change. */
function conversationAfter(
  table: Table,
  before: StoredRecord,
  data: RecordData,
  { conversation }: ChangeOptions,
): ConversationParts | undefined {
  if (conversation) return conversation.after(before, data)
  const [was, is] = [before.data, data].map((one) => ({ isClosed: isClosedRecord(table, one) })) as [Closed, Closed]
  return before.conversation && afterChange(before.conversation, was, is)
}

interface Closed {
  readonly isClosed: boolean
}

/**
 * What a change would change, without writing anything: the names of the fields. A field that is hidden from the actor counts
 * as changed whatever it holds, since no change would confirm a guess. The before_update hooks run. Throws as `changeRecord`
 * does.
 */
export async function previewChange(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  id: number,
  body: RecordData,
  options: Pick<ChangeOptions, 'permit' | 'restores' | 'withoutHooks'> = {},
): Promise<readonly string[]> {
  const { store } = records
  const { tenant } = actor
  const operation = options.withoutHooks ? noHooks : await records.hooks.begin(actor, table, 'update')
  const current = await store.get(tenant, recordKey(tenant, table.name, id))
  const before = readLivingRecord(current, table)
  await options.permit?.(current)
  if (!before) throw goneRecord(table.name, id, current)
  const data = withGenerated(table, id, await merge(records, actor, table, before, body, operation, options))
  const taken = await findTaken(store, tenant, table, id, before.data, data)
  if (Object.keys(taken).length > 0) throw await explained(records, actor, table, data, new Invalid(taken))
  await moveInTree(records, tenant, table, id, before.data, data)
  const changed = changedFields(before.data, data)
  if (options.restores) return changed
  const access = fieldAccess(actor, table.name, 'update')
  return [
    ...new Set([
      ...changed,
      ...Object.keys(data).filter((name) => Object.hasOwn(body, name) && !mayRead(access, name)),
    ]),
  ]
}

/** The data to save. Throws Invalid for wrong input, unknown references and wrong values of a hook. */
async function merge(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  before: StoredRecord,
  body: RecordData,
  operation: HookedOperation,
  { restores, withoutConditions, withoutFieldRules }: ChangeOptions,
): Promise<RecordData> {
  const { readable, writable } = fieldAccess(actor, table.name, 'update')
  const check: ChangeCheck = {
    rules: await openRules(records, actor, table, before),
    access: { readable, ...(!withoutFieldRules && { writable }) },
    ...(restores && { restores }),
    ...(withoutConditions && { withoutConditions }),
  }
  const merged = await collectErrors(records, actor, table, { body, before }, async () => {
    const checked = checkChangedFields(table, before.data, body, actor, check)
    await requireReferences(records, actor.tenant, table, checked, changedFields(before.data, checked), actor)
    return withComputed(table, checked)
  })
  if (!operation.hasBefore) return merged
  const made = await operation.before({
    id: before.id,
    data: visibleData(table, merged),
    old: visibleData(table, before.data),
    record: before,
  })
  const data = await withComputed(table, checkHookedFields(table, before.data, merged, made, actor, check))
  await requireReferences(records, actor.tenant, table, data, changedFields(merged, data))
  return data
}
