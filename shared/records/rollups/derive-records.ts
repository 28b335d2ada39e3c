import type { Tenant } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { readRecordHead } from '../../platform/store/rows/record-row.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { withComputed } from '../../tables/formulas/service.ts'
import { rollupsOf } from '../../tables/tables/checks/check-rollups.ts'
import type { Table } from '../../tables/tables/table.ts'
import type { StoredRecord } from '../records/record-item.ts'
import { withGenerated } from '../records/write/check-fields.ts'
import { writeDerived } from '../records/write/write-derived.ts'
import { maxRolledUpAtOnce, type RollupSources, rollupValues } from './rollup-values.ts'

export interface DerivationDependencies extends RollupSources {
  readonly store: Store
  readonly clock: Clock
}

const parallelRecords = 16

/**
 * Brings the rollups and computed fields of records up to date. `items`: their rows as they were read just before, so that
 * of two who do this at the same time the one who evaluated later wins. `fail` hears of a record that failed; the others
 * do not fail with it.
 */
export async function deriveRecords(
  services: DerivationDependencies,
  tenant: Tenant,
  table: Table,
  items: readonly Item[],
  source: 'formula' | 'rollup',
  fail: (id: number, cause: unknown) => void,
): Promise<void> {
  const hasRollups = rollupsOf(table).length > 0
  for (let start = 0; start < items.length; start += maxRolledUpAtOnce) {
    const some = items.slice(start, start + maxRolledUpAtOnce)
    const ids = some.map((item) => readRecordHead(item).id)
    const values = hasRollups ? await rollupValues(services, tenant, table, ids) : undefined
    const derive = async ({ id, data }: StoredRecord, isAgain: boolean) => {
      const rolledUp = hasRollups && isAgain ? await rollupValues(services, tenant, table, [id]) : values
      return withComputed(table, withGenerated(table, id, { ...data, ...rolledUp?.get(id) }))
    }
    for (let from = 0; from < some.length; from += parallelRecords)
      await Promise.all(
        some.slice(from, from + parallelRecords).map(async (item, index) => {
          const id = ids[from + index] as number
          try {
            await writeDerived(services, tenant, table, id, { source, item, derive })
          } catch (cause) {
            fail(id, cause)
          }
        }),
      )
  }
}
