import { sideEntry } from '../../../platform/store/rows/batch-entry-row.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Actor } from '../actor.ts'
import type { RecordDependencies } from '../dependencies.ts'
import { changeRecord } from './change-record.ts'

/** A reference: a field of a record, what it points at, and what it is to point at. */
export interface Pointing {
  readonly table: Table
  readonly field: string
  readonly id: number
  readonly from: number
  readonly to: number | null
}

/**
 * Points a reference at another record, or at none, because the one that it points at is gone: no hook, condition or field
 * rule may refuse it. Of a batch, an undo finds it. The index that named it may lag: a reference that points at something
 * else by now is left as it is. `alsoWrites` are in the same transaction. Answers whether it was changed. Throws what
 * `changeRecord` throws, and TransactionRefused when a condition of `alsoWrites` fails.
 */
export async function pointReference(
  records: RecordDependencies,
  actor: Actor,
  { table, field, id, from, to }: Pointing,
  alsoWrites: readonly Write[] = [],
): Promise<boolean> {
  const { tenant, batchId } = actor
  const { name: model } = table
  let refers = false
  await changeRecord(
    records,
    actor,
    table,
    id,
    { [field]: to },
    {
      onlyIf: (data) => {
        refers = data[field] === from
        return refers
      },
      withoutHooks: true,
      withoutFieldRules: true,
      withoutConditions: true,
      extraWrites: alsoWrites,
      ...(batchId !== undefined && {
        writesWith: ({ version }) => [
          sideEntry(tenant, batchId, { model, id, version, action: 'update', atMs: records.clock.now() }),
        ],
      }),
    },
  )
  return refers
}
