import { Conflict } from '../../../kernel/failures/faults.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../../kernel/time/clock.ts'
import type { ChangeEvent } from '../../../platform/queue/change-feed/change-event.ts'
import { withNames } from '../../../platform/store/rows/stored-names.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { type FieldChange, readTrailRow } from '../../../platform/trail/trail-event.ts'
import { readChanges } from '../../../records/history/history-row.ts'
import { readHistoryRows } from '../../../records/history/read-history-rows.ts'
import { recordAndTombstoneKeys, stateItem, stateOfVersion } from '../../../records/history/state-at.ts'
import { answerRecord } from '../../../records/records/record-item.ts'
import type { EntityRecord } from '../../../records/records/schema.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { SubscribedEvent } from '../schema.ts'

export interface ChangeDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly fetchObject: (key: string) => Promise<Uint8Array>
}

/**
 * History and events follow the same change side by side: the entry is there in a moment. The queue would only deliver the
 * event again after minutes.
 */
const maxTries = 20
const pauseMs = 250

/** One version of a record, as subscriptions tell it. */
export interface SubscribedChange {
  readonly event: SubscribedEvent
  readonly table: Table
  readonly id: number
  readonly version: number
  /** ISO time of the change. */
  readonly at: string
  readonly actorId: number
  /** A rule made it of a message that came in. */
  readonly isOfMessage: boolean
  /** What the version changed, without retired fields. */
  readonly changes: Readonly<Record<string, FieldChange>>
  /** The record after the change, or before its delete. */
  readonly record: EntityRecord
  /** The same as an item, for filters and row rules. */
  readonly item: Item
}

/**
 * Reads what a version of a record changed, and the record as that version left it, whatever has happened to it since.
 * Throws Conflict when its history is not written within five seconds.
 */
export async function readSubscribedChange(
  services: ChangeDependencies,
  tenant: Tenant,
  table: Table,
  { id, version, action, actor, source }: Pick<ChangeEvent, 'id' | 'version' | 'action' | 'actor' | 'source'>,
): Promise<SubscribedChange> {
  const { store, clock, fetchObject } = services
  const model = table.name
  const range = { model, id, from: version, to: version, changedAt: isoTime(clock.now()) }
  const wanted = action === 'delete' ? version - 1 : version

  async function readOnce() {
    const [{ rows }, images] = await Promise.all([
      readHistoryRows(services, tenant, range),
      store.getMany(tenant, recordAndTombstoneKeys(tenant, model, id)),
    ])
    const [entry] = rows
    const state = entry && (await stateOfVersion(services, tenant, table, { id, version: wanted }, images))
    return entry && state && { entry, state }
  }

  let found = await readOnce()
  for (let tries = 1; !found && tries < maxTries; tries += 1) {
    await clock.sleep(pauseMs)
    found = await readOnce()
  }
  if (!found) throw new Conflict('history_pending', 'The history of this record is still being written. Try again.')
  const { entry, state } = found
  const changes = Object.entries(withNames(table, await readChanges(entry, fetchObject)))
  return {
    event: action,
    table,
    id,
    version,
    at: readTrailRow(entry).at,
    actorId: actor,
    isOfMessage: source === 'rule',
    changes: Object.fromEntries(changes.filter(([name]) => table.fieldsByName.has(name))),
    record: answerRecord(table, { id, tenant_id: tenant.id, ...state }, undefined),
    item: stateItem(tenant, table, id, state),
  }
}
