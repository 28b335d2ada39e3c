import { Invalid } from '../../../kernel/failures/faults.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Evaluation } from '../evaluate/open-evaluation.ts'
import type { Check } from './check-records.ts'
import type { OrderedIds } from './ordered-ids.ts'
import { readRecords } from './read-records.ts'

/** How many long texts, which are in no column, one request reads from their records. */
const maxDoubtful = 2000

/** What doubtful records are checked with. */
interface UncertainCheck {
  readonly tenant: Tenant
  readonly table: Table
  readonly check: Check
}

/**
 * Of records whose long texts are in no column those that fail the filter: the records are read. Throws Invalid naming
 * the field when they are too many.
 */
export async function failingRecords(
  store: Pick<Store, 'getMany'>,
  { tenant, table, check }: UncertainCheck,
  { leftOut }: Pick<Evaluation, 'leftOut'>,
  doubtful: readonly number[],
): Promise<ReadonlySet<number>> {
  if (doubtful.length > maxDoubtful) throw tooManyTexts(leftOut, doubtful.length)
  const rows = await check.records(await readRecords(store, tenant, table.name, doubtful))
  return new Set(doubtful.filter((_, index) => !rows[index]))
}

/** The list without the records that fail. */
export async function removeDoubtful(
  store: Pick<Store, 'getMany'>,
  doubting: UncertainCheck,
  evaluation: Pick<Evaluation, 'leftOut'>,
  ordered: OrderedIds,
  doubtful: readonly number[],
): Promise<OrderedIds> {
  if (doubtful.length === 0) return ordered
  return ordered.without(await failingRecords(store, doubting, evaluation, doubtful))
}

function tooManyTexts(leftOut: readonly string[], records: number): Invalid {
  const fields = leftOut.map((column) => column.slice(0, -1))
  const advice = `Narrow the list by other fields to ${maxDoubtful} records, or use search.`
  return new Invalid(
    Object.fromEntries(
      fields.map((field) => [
        `filter.${field}`,
        [`The texts of ${field} are too large to be looked through for ${records} records. ${advice}`],
      ]),
    ),
    { code: 'query_too_expensive' },
  )
}
