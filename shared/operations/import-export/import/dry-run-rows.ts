import { Invalid } from '../../../kernel/failures/faults.ts'
import type { Actor, RecordDependencies } from '../../../records/records/service.ts'
import type { Table } from '../../../tables/tables/service.ts'
import type { ImportAnswer, RowFailure } from '../schema.ts'
import { checkRows, type SeenValues } from './check-rows.ts'
import { truncateFailures } from './truncate-failures.ts'

const batchRows = 98

/** A dry run: checks every row, before_create hooks included, and stores nothing. No row gets an id. */
export async function dryRunRows(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  rows: readonly unknown[],
  timeIsUp: () => boolean,
): Promise<ImportAnswer> {
  const seen: SeenValues = new Map()
  const errors: RowFailure[] = []
  for (let from = 0; from < rows.length; from += batchRows) {
    if (from > 0 && timeIsUp())
      throw new Invalid({ rows: [`Only the first ${from} rows could be checked in time. Try fewer at once.`] })
    const checked = await checkRows(records, actor, table, rows.slice(from, from + batchRows), from, seen)
    errors.push(...checked.flatMap((one) => ('failure' in one ? [one.failure] : [])))
  }
  return {
    total: rows.length,
    created: 0,
    failed: errors.length,
    ids: rows.map(() => null),
    errors: truncateFailures(errors),
  }
}
