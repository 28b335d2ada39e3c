import { isoTime } from '../clock.ts'
import { Invalid, NotFound, PreconditionFailed } from '../faults.ts'
import { retryWithJitter } from '../store/backoff.ts'
import { recordKey, tombstoneKey } from '../store/keys.ts'
import type { Item } from '../store/marshal.ts'
import { ConditionFailed, TransactionRefused } from '../store/refusals.ts'
import { moveLiveCount } from '../store/sequence.ts'
import type { Table } from '../tables/table.ts'
import { clearReferences, findReferrers, type Referring } from './clear-references.ts'
import type { ChangeOptions } from './change-record.ts'
import type { Actor, EntityDependencies } from './deps.ts'
import { markedItem, readLivingRecord, type StoredRecord } from './record-item.ts'
import { saveRecord, standsAt } from './save-record.ts'
import { guardWrites } from './unique-guards.ts'

/** How many references a request clears itself; the removal consumer goes on with the rest. */
const inlineReferences = 100
/** When the sweeper looks after a delete that did not finish. */
const dueAfterMs = 60_000

/** A record whose delete has begun. */
export type MarkedRecord = StoredRecord & { readonly deletedAt: string; readonly deletedBy: number }

/**
 * Deletes a record in steps that any crash may interrupt: mark (invisible from now on, out of every index, its unique
 * values free, the count moved, its history entry on the way), clear references, remove with a tombstone. What a request
 * cannot finish the removal consumer does, and the sweeper finds what got lost.
 */
export async function removeRecord(deps: EntityDependencies, actor: Actor, table: Table, id: number, options: ChangeOptions = {}): Promise<void> {
  const referring = await findReferrers(deps, actor.tenant, table, id, inlineReferences + 1)
  refuseRestricted(referring)
  const many = referring.filter(({ field }) => field.on_delete === 'set_null').reduce((sum, { ids }) => sum + ids.length, 0) > inlineReferences
  const marked = await markRecord(deps, actor, table, id, options, many)
  if (many) return
  await clearReferences(deps, actor, marked, referring)
  await finishRemoval(deps, actor, table, marked)
}

function refuseRestricted(referring: readonly Referring[]): void {
  const errors = Object.fromEntries(
    referring
      .filter(({ field, ids }) => field.on_delete === 'restrict' && ids.length > 0)
      .map(({ table, field, ids }) => [`${table.name}.${field.name}`, [`The record is still in use: ${table.name} ${ids[0]} refers to it.`]]),
  )
  if (Object.keys(errors).length > 0) throw new Invalid(errors, 'The record is still in use.')
}

async function markRecord(
  { store, clock }: EntityDependencies,
  actor: Actor,
  table: Table,
  id: number,
  { preloaded, ifMatch }: ChangeOptions,
  queued: boolean,
): Promise<MarkedRecord> {
  const { tenant } = actor
  let current: Item | null | undefined = preloaded === undefined ? await store.get(tenant, recordKey(tenant, table.name, id)) : preloaded
  return retryWithJitter(clock, async (again) => {
    const before = readLivingRecord(current)
    if (!before) throw new NotFound('record', { model: table.name, id })
    if (ifMatch && !ifMatch(before.version)) throw new PreconditionFailed(before.version)
    const now = Math.max(clock.now(), Date.parse(before.updated_at))
    const marked = { ...before, version: before.version + 1, deletedAt: isoTime(now), deletedBy: actor.userId }
    const item = markedItem(table, marked, actor, clock.uuid(), { dueAt: isoTime(now + dueAfterMs), queued, round: 1 })
    try {
      const guards = guardWrites(tenant, table, id, before.data, undefined)
      await saveRecord(store, tenant, item, standsAt(before.version), guards, [moveLiveCount(tenant, table.name, -1)])
      return marked
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error
      current = error.standing ?? null
      return again(error)
    }
  })
}

/** The last step: the record goes, a tombstone keeps its last version. Harmless when somebody else did it already. */
export async function finishRemoval({ store, clock }: EntityDependencies, actor: Pick<Actor, 'tenant'>, table: Pick<Table, 'name'>, marked: MarkedRecord): Promise<void> {
  const { tenant } = actor
  const { id, version } = marked
  try {
    await store.transact(
      tenant,
      [
        { remove: recordKey(tenant, table.name, id), if: { expression: '#version = :version AND attribute_exists(deleted_at)', names: { '#version': 'version' }, values: { ':version': version } } },
        { put: { ...tombstoneKey(tenant, table.name, id), kind: 'tombstone', v: 1, version, deleted_at: marked.deletedAt, deleted_by: marked.deletedBy } },
      ],
      clock.uuid(),
    )
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error
    if (await store.get(tenant, tombstoneKey(tenant, table.name, id))) return
    throw error
  }
}
