import { isoTime } from '../../kernel/clock.ts'
import { NotFound, PreconditionFailed } from '../../kernel/faults.ts'
import { recordKey } from '../../store/keys/records.ts'
import type { Item } from '../../store/marshal.ts'
import { ConditionFailed } from '../../store/refusals.ts'
import { retryWithJitter } from '../../store/retry-with-jitter.ts'
import { readAfterDue } from '../../store/rows/record-row.ts'
import type { Write } from '../../store/table.ts'
import type { Table } from '../../tables/service.ts'
import type { Actor } from '../actor.ts'
import type { RecordDependencies } from '../dependencies.ts'
import { noHooks, type HookedOperation } from '../hooks/hooked-operation.ts'
import { pendingAttributes } from '../hooks/pending-hooks.ts'
import {
  newerOf,
  readLivingRecord,
  recordItem,
  visibleData,
  type RecordData,
  type StoredRecord,
} from '../record-item.ts'
import { changedFields, checkChangedFields, checkHookedFields } from './check-fields.ts'
import { requireReferences } from './check-references.ts'
import { collectErrors } from './collect-errors.ts'
import type { VersionMatch } from './if-match.ts'
import { pendingHooksDueAt, unchangedAt, saveRecord } from './save-record.ts'
import { guardWrites } from './unique-guards.ts'

export interface ChangeOptions {
  /** The record as it was read along with the caller; null when it does not exist, undefined when it was not read. */
  readonly preloaded?: Item | null
  readonly ifMatch?: VersionMatch
  /** Throws when the record, as it stands, is not for the actor to write. */
  readonly permit?: (item: Item | null | undefined) => Promise<void>
  /** A record for which this is false is left as it is. */
  readonly onlyIf?: (data: RecordData) => boolean
  /** For a change that no script may refuse: clearing references to a record that is deleted. */
  readonly withoutHooks?: boolean
  /** For a past state that is written back: states move as they must. */
  readonly withoutTransitions?: boolean
  /** Writes that are made with the change or not at all; one that changes nothing makes none of them. */
  readonly extraWrites?: readonly Write[]
}

/**
 * Merges the supplied fields into a record, runs its before_update hooks, validates what they changed, and saves it on
 * condition that nobody was faster; otherwise all of that again on what stands there now, for up to three seconds, then
 * Conflict. So concurrent updates of different fields both survive. An update that changes nothing writes nothing and
 * answers the record as it is. Throws TransactionRefused when a condition of `beside` does not hold.
 */
export async function changeRecord(
  deps: RecordDependencies,
  actor: Actor,
  table: Table,
  id: number,
  body: RecordData,
  options: ChangeOptions = {},
): Promise<StoredRecord> {
  const { store, clock } = deps
  const { tenant } = actor
  const operation = options.withoutHooks ? noHooks : await deps.hooks.begin(actor, table, 'update')
  let current =
    options.preloaded === undefined ? await store.get(tenant, recordKey(tenant, table.name, id)) : options.preloaded
  let checked: { readonly version: number; readonly data: RecordData } | undefined
  return retryWithJitter(clock, async (again) => {
    const before = readLivingRecord(current)
    if (!before) throw new NotFound('record', { model: table.name, id })
    await options.permit?.(current)
    if (options.ifMatch && !options.ifMatch(before.version)) throw new PreconditionFailed(before.version)
    if (options.onlyIf && !options.onlyIf(before.data)) return before
    // The same version again: only the mark of earlier after hooks went, so what was decided still holds.
    if (checked?.version !== before.version)
      checked = { version: before.version, data: await merge(deps, actor, table, before, body, operation, options) }
    const { data } = checked
    const changed = changedFields(before.data, data)
    if (changed.length === 0) return before
    const after: StoredRecord = {
      ...before,
      data,
      updated_by: actor.userId,
      updated_at: isoTime(Math.max(clock.now(), Date.parse(before.updated_at))),
      version: before.version + 1,
    }
    const carried = readAfterDue(current)
    const mark = operation.pendingHooks(after, before.data, carried)
    const item = {
      ...recordItem(table, after, actor, clock.uuid()),
      ...pendingAttributes(tenant, table.name, id, mark, pendingHooksDueAt(clock)),
    }
    const files = deps.files.writes(tenant, table, after, before.data, data)
    try {
      const guards = guardWrites(tenant, table, id, before.data, data)
      await operation.withRunLog(
        saveRecord(store, tenant, item, unchangedAt(before.version, carried), guards, [
          ...files.writes,
          ...operation.intents(),
          ...(options.extraWrites ?? []),
        ]),
      )
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error
      current = error.existing ?? null
      return again(error)
    }
    await deps.files.cleanUp(tenant, files)
    return newerOf(after, await operation.after(after, before.data, item))
  })
}

/** The data to be saved. Throws Invalid for what the caller sent, what a reference names, and what a hook made of it. */
async function merge(
  deps: RecordDependencies,
  actor: Actor,
  table: Table,
  before: StoredRecord,
  body: RecordData,
  operation: HookedOperation,
  { withoutTransitions }: ChangeOptions,
): Promise<RecordData> {
  const merged = await collectErrors(deps, actor, table, { body, before }, async () => {
    const checked = checkChangedFields(table, before.data, body, actor, !withoutTransitions)
    await requireReferences(deps, actor.tenant, table, checked, changedFields(before.data, checked), actor)
    return checked
  })
  if (!operation.hasBefore) return merged
  const made = await operation.before({
    id: before.id,
    data: visibleData(table, merged),
    old: visibleData(table, before.data),
  })
  const data = checkHookedFields(table, before.data, merged, made, actor)
  await requireReferences(deps, actor.tenant, table, data, changedFields(merged, data))
  return data
}
