import type { TenantRef } from '../../../kernel/tenancy.ts'
import { trailPartitions } from '../../../platform/store/keys/history.ts'
import { keyOfItem } from '../../../platform/store/keys/key.ts'
import { asStored, type NamedFields, withNames } from '../../../platform/store/rows/stored-names.ts'
import { slotName, trailSlots } from '../../../platform/store/slots.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { readTrailRow } from '../../../platform/trail/trail-event.ts'
import { readChanges } from '../../../records/history/history-row.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { rangeSource, type Rows, type Source } from './source.ts'

interface Dependencies {
  readonly store: Pick<Store, 'query' | 'getMany'>
  readonly fetchObject: (key: string) => Promise<Uint8Array>
}

/** The history of all records, deleted ones too, and the events of accounts and configuration. */
export function trailSource({ store, fetchObject }: Dependencies, tenant: TenantRef, tables: readonly Table[]): Source {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const tableOf: TableOf = (model) => byName.get(model) ?? asStored
  const ranges = trailPartitions(tenant, 'whole').map((pk) => ({ pk, index: slotName(trailSlots.byTime) }))
  return rangeSource(store, tenant, 'trail', ranges, (keys) => entriesAt({ store, fetchObject }, tenant, tableOf, keys))
}

type TableOf = (model: string) => NamedFields

/** Rows of the trail that are read at once. Each is packed until it is written. */
const rowsAtOnce = 100

async function* entriesAt(
  { store, fetchObject }: Dependencies,
  tenant: TenantRef,
  tableOf: TableOf,
  keys: readonly Item[],
): AsyncGenerator<Rows, void, undefined> {
  for (let start = 0; start < keys.length; start += rowsAtOnce) {
    const items = await store.getMany(tenant, keys.slice(start, start + rowsAtOnce).map(keyOfItem))
    for (const item of items)
      if (item)
        yield {
          file: fileOf(item),
          rows: [{ json: async () => JSON.stringify(await entryOf(item, tableOf, fetchObject)) }],
        }
  }
}

const fileOf = (item: Item): string => (item.kind === 'event' ? 'trail' : `history/${String(item.model)}`)

async function entryOf(item: Item, tableOf: TableOf, fetchObject: Dependencies['fetchObject']): Promise<object> {
  const { action, model, recordId, version, userId, impersonatorId, source, at, name } = readTrailRow(item)
  return {
    at,
    action,
    model,
    record_id: recordId,
    version,
    user_id: userId,
    impersonator_id: impersonatorId,
    source,
    name,
    changes: withNames(tableOf(model), await readChanges(item, fetchObject)),
  }
}
