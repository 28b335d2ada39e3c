/** Tables whose columns a test keeps itself: it decides what the keeper is told, when and how often. */
import type { Tenant } from '../../../../shared/kernel/tenancy.ts'
import { createKeeper, type KeeperDependencies } from '../../../../shared/lists/columns/keeper/keeper.ts'
import type { LogRow } from '../../../../shared/lists/columns/log-entry.ts'
import { goneRow } from '../../../../shared/lists/columns/row-of-record.ts'
import type { Value } from '../../../../shared/lists/columns/scalar.ts'
import type { Store } from '../../../../shared/platform/store/store.ts'
import type { Table } from '../../../../shared/tables/tables/table.ts'
import type { SingleTable } from '../../services/stores/single-table.ts'
import { type FrozenClock, frozenClock } from '../frozen-clock.ts'

export const model = 'requests'
export const tenantWith = (id: number): Tenant => ({ id, slug: 'acme', name: 'Acme', configVersion: 1 })

/** A table of which only the searched fields matter: the title, and the note unless it says otherwise. */
export const searchedTable = (searched: readonly string[] = ['title', 'note']): Table =>
  ({
    name: model,
    title_field: 'title',
    table_fields: searched.map((name) => ({ name, type: 'textarea' })),
  }) as unknown as Table

export const livingRow = (id: number, version: number, values: Readonly<Record<string, Value>>): LogRow => ({
  id,
  version,
  isGone: false,
  values: new Map(Object.entries(values).filter(([, value]) => value !== null)),
})
export { goneRow }

/** A keeper on a clock that does not move by itself. */
export function keeperOn(
  store: Store,
  more: Partial<Omit<KeeperDependencies, 'clock'>> & { readonly clock?: FrozenClock } = {},
) {
  const clock = more.clock ?? frozenClock()
  return createKeeper({ store, tables: { find: async () => searchedTable() }, ...more, clock })
}

export class Crashed extends Error {}

/**
 * A store whose user crashes at one of its calls: that call is made or not, and none after it. `calls` counts them;
 * without a crash it only counts.
 */
export function crashingStore(single: SingleTable, crash?: { readonly call: number; readonly afterwards: boolean }) {
  const counter = { calls: 0 }
  const store = single.storeThrough(async (_operation, call) => {
    counter.calls += 1
    if (!crash || counter.calls < crash.call) return call()
    if (counter.calls === crash.call && crash.afterwards) await call()
    throw new Crashed()
  })
  return { store, counter }
}
