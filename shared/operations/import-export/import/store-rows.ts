import { Conflict, Invalid } from '../../../kernel/failures/faults.ts'
import { aboutNewRecord } from '../../../messages/deliveries/rows/about-record.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import { loggedByWriter } from '../../../platform/store/rows/write-record-row.ts'
import { countNewRecords } from '../../../platform/store/sequence/recount.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { isNew } from '../../../platform/store/writes/conditions.ts'
import { TransactionRefused } from '../../../platform/store/writes/refusals.ts'
import { requireWithinBudget, sizeOfWrite } from '../../../platform/store/writes/transaction-budget.ts'
import type { Actor } from '../../../records/records/actor.ts'
import type { RecordDependencies } from '../../../records/records/dependencies.ts'
import type { HookedOperation } from '../../../records/records/hooks/hooked-operation.ts'
import type { StoredRecord } from '../../../records/records/record-item.ts'
import { newRecordItem } from '../../../records/records/write/create-record.ts'
import { noteRestricting } from '../../../records/records/write/note-restricting.ts'
import { growTree } from '../../../records/records/write/tree-writes.ts'
import { takenErrors } from '../../../records/records/write/unique-guards.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { RowFailure } from '../schema.ts'
import { advance, type ImportProgress } from './import-progress.ts'
import type { ImportPlan } from './keyed/import-plan.ts'
import { type CheckedRow, failureOf, type WrittenRow } from './outcomes/row-outcome.ts'

/** A transaction has at most 100 writes and 4 MB; two writes are the import's progress and the table's count. */
const maxWrites = 98
const maxBytes = 3 * 1024 * 1024
/** The most that keys, slots and attribute names of a record take. */
const overheadBytes = 16 * 1024

/** The writes of one row. */
interface RowWrites {
  readonly row: number
  readonly record: StoredRecord
  readonly item: Item & Key
  readonly operation: HookedOperation
  /** All but the record itself, which is written first. */
  readonly others: readonly Write[]
  /** The fields of the unique guards, which are the first of the other writes. */
  readonly guarded: readonly string[]
}

/**
 * 'stale': another request or job advanced the import. 'other table': the table was changed or removed meanwhile. 'key
 * taken': somebody else made a record with the key of a row, which has to be found again.
 */
export type StoreOutcome =
  | { readonly progress: ImportProgress; readonly stored: readonly RowWrites[] }
  | 'stale'
  | 'other table'
  | 'key taken'

/**
 * Stores the next checked rows, as many as fit into one transaction: records, unique guards, claims on files, intents
 * of hooks, the table's count and the import's progress. A row whose unique value was taken meanwhile is refused and
 * the others are stored without it; `findsAgain`: unless that was the key of the import.
 */
export async function storeRows(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  progress: ImportProgress,
  checked: readonly CheckedRow[],
  { plan, findsAgain }: { readonly plan: ImportPlan; readonly findsAgain: boolean },
): Promise<StoreOutcome> {
  const { store, clock } = records
  const { tenant } = actor
  const growth = growTree(
    records,
    tenant,
    table,
    checked.flatMap((one) => ('prepared' in one ? [one.prepared.data] : [])),
  )
  const room = maxWrites - growth.length
  let { rows, failures, to } = pack(checked)
  await refuseDeleted()
  const written = checked.flatMap((one) => ('written' in one && one.row < to ? [one.written] : []))
  for (;;) {
    const writes = [
      advance(progress, to, failures, written),
      ...(rows.length > 0
        ? [
            countNewRecords(
              tenant,
              table,
              rows.map(({ record }) => record.id),
            ),
          ]
        : []),
      // The consumer of the change feed folds the log: it hears of one record of each transaction.
      ...rows.flatMap(({ item, others }, index) => [
        { put: index === 0 ? firstItem(rows) : { ...item, ...loggedByWriter, touched: undefined }, if: isNew },
        ...others,
      ]),
      ...growth,
    ]
    try {
      await store.transact(tenant, writes, clock.uuid())
      return { progress: advanced(progress, to, failures, written), stored: rows }
    } catch (error) {
      if (!(error instanceof TransactionRefused)) throw error
      // Not `commit`: the next transaction depends on which rows were refused.
      if (error.reasons[0]?.failed) return 'stale'
      if (rows.length > 0 && error.reasons[1]?.failed) return 'other table'
      const refused = refusedRows(rows, error.reasons.slice(2))
      if (refused.size === 0) throw error
      const { key } = plan
      if (findsAgain && key && refused.values().some(({ errors }) => errors && Object.hasOwn(errors, key.name)))
        return 'key taken'
      rows = rows.filter(({ row }) => !refused.has(row))
      failures = [...failures, ...refused.values()].sort((a, b) => a.row - b.row)
    }
  }

  /** Refuses rows that refer to a record which was deleted since they were checked, by a field that restricts that. */
  async function refuseDeleted(): Promise<void> {
    const errors = await noteRestricting(
      records,
      tenant,
      table,
      rows.map(({ record }) => record),
    )
    const refused = rows.flatMap(({ row }, index) => {
      const own = errors[index] ?? {}
      return Object.keys(own).length > 0 ? [failureOf(row, new Invalid(own))] : []
    })
    if (refused.length === 0) return
    rows = rows.filter(({ row }) => refused.every((one) => one.row !== row))
    failures = [...failures, ...refused].sort((a, b) => a.row - b.row)
  }

  function pack(given: readonly CheckedRow[]): { rows: RowWrites[]; failures: RowFailure[]; to: number } {
    const packed: { rows: RowWrites[]; failures: RowFailure[]; to: number } = {
      rows: [],
      failures: [],
      to: progress.nextRow,
    }
    let [count, bytes] = [0, 0]
    for (const one of given) {
      const result = 'prepared' in one ? rowWrites(one) : 'failure' in one ? one.failure : undefined
      if (!result) {
        // Its record has been written.
      } else if ('others' in result) {
        count += 1 + result.others.length
        bytes += result.others.reduce(
          (sum, write) => sum + sizeOfWrite(write),
          sizeOfWrite({ put: result.item }) + overheadBytes,
        )
        if (packed.rows.length > 0 && (count > room || bytes > maxBytes)) break
        packed.rows.push(result)
      } else packed.failures.push(result)
      packed.to = one.row + 1
    }
    return packed
  }

  function rowWrites({ row, prepared, claim }: Extract<CheckedRow, { prepared: unknown }>): RowWrites | RowFailure {
    try {
      const { record, item, guards, claims } = newRecordItem(clock, actor, table, prepared, progress.firstId + row)
      const claimed = claim && plan.key ? [{ field: plan.key.name, write: claim(record.id) }] : []
      const guarded = [...guards, ...claimed]
      const others = [
        ...guarded.map(({ write }) => write),
        ...claims,
        ...aboutNewRecord(prepared.operation.intents(), table.name, record),
      ]
      requireWithinBudget([{ put: item }, ...others], room)
      return { row, record, item, operation: prepared.operation, others, guarded: guarded.map(({ field }) => field) }
    } catch (error) {
      return failureOf(row, error)
    }
  }
}

function advanced(
  progress: ImportProgress,
  nextRow: number,
  failures: readonly RowFailure[],
  written: readonly WrittenRow[],
): ImportProgress {
  return {
    ...progress,
    nextRow,
    failures: [...progress.failures, ...failures],
    ...(written.length > 0 && { written: [...(progress.written ?? []), ...written] }),
  }
}

/** The first row of a transaction names what rollups all its rows touch: each is evaluated once. */
function firstItem(rows: readonly RowWrites[]): RowWrites['item'] {
  const [first] = rows as [RowWrites]
  const touched = new Set(
    rows.flatMap(({ item }) => (item.touched === undefined ? [] : String(item.touched).split(' '))),
  )
  if (touched.size === 0) return first.item
  return { ...first.item, touched: [...touched].join(' '), touched_to: (rows.at(-1) as RowWrites).record.id }
}

/** The failures of the rows with refused writes. `reasons` are in the order of the writes of all rows. */
function refusedRows(rows: readonly RowWrites[], reasons: TransactionRefused['reasons']): Map<number, RowFailure> {
  const refused = new Map<number, RowFailure>()
  let start = 0
  for (const { row, others, guarded } of rows) {
    const [record, ...rest] = reasons.slice(start, (start += 1 + others.length))
    const takenFields = guarded.filter((_, index) => rest[index]?.failed)
    if (takenFields.length > 0) refused.set(row, failureOf(row, new Invalid(takenErrors(takenFields))))
    else if (record?.failed || rest.some(({ failed }) => failed))
      refused.set(row, failureOf(row, new Conflict('write_conflict', 'The id of this record was taken. Try again.')))
  }
  return refused
}
