import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Write } from '../../../platform/store/store.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import type { CommandRow, StepRow } from '../rows/command-rows.ts'
import { isPending } from '../rows/task-row.ts'
import { removeCommandRow, writeOf } from './commit-step.ts'

/** A transaction holds 100 writes; one of them checks the task. */
const rowsPerTransaction = 99
const writesInFlight = 10

/**
 * Writes the rows that did not fit into the transaction of their step, and removes their command. Tasks come before the
 * rows that go with them. A row that has changed since an earlier attempt stays as it is.
 */
export async function writeDeferredRows(
  { store, clock }: Pick<AdvanceDependencies, 'store' | 'clock'>,
  tenant: TenantRef,
  row: CommandRow,
  rows: readonly StepRow[],
): Promise<void> {
  await writeAll(
    rows.filter((one): one is Write => !('row' in one)),
    (one) => store.write(tenant, one),
  )
  const ofTasks = Map.groupBy(
    rows.filter((one) => 'row' in one),
    ({ whilePending: { pk, sk } }) => `${pk} ${sk}`,
  )
  const transactions = [...ofTasks.values()].flatMap((some) =>
    Array.from({ length: Math.ceil(some.length / rowsPerTransaction) }, (_, at) =>
      some.slice(at * rowsPerTransaction, (at + 1) * rowsPerTransaction),
    ),
  )
  await writeAll(transactions, (some) =>
    store.transact(
      tenant,
      [{ check: (some[0] as (typeof some)[0]).whilePending, if: isPending }, ...some.map(writeOf)],
      clock.uuid(),
    ),
  )
  await removeCommandRow(store, tenant, row)
}

/** A refused write was made by an earlier attempt, or its task has ended: it is skipped. */
async function writeAll<T>(all: readonly T[], write: (one: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < all.length; start += writesInFlight) {
    await Promise.all(all.slice(start, start + writesInFlight).map((one) => wasApplied(write(one))))
  }
}
