import { Invalid } from '../../../kernel/failures/faults.ts'
import { giveWay } from '../../../kernel/runtime/give-way.ts'
import { conversationFields, peopleTarget } from '../../../lists/query/grammar/field.ts'
import type { Query } from '../../../lists/query/grammar/parse-query.ts'
import type { Expansion, SelectedMembers, Selection } from '../../../lists/query/grammar/parse-selection.ts'
import { conversationName } from '../../../lists/query/grammar/resolve-field.ts'
import type { Related } from '../../../lists/query/read/related.ts'
import { type Row, sizeOf } from '../../../lists/query/read/row.ts'
import type { ListedRecord } from '../../../lists/query/schema.ts'
import { addSizes, isTooLarge, noSize } from '../../../platform/http/routing/answer-size.ts'
import { readRecordHead } from '../../../platform/store/rows/record-row.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { answerRecord } from '../record-item.ts'
import { standardFields } from '../schema.ts'

/** How many bytes expanded records may add to a page. */
const expandedBytes = 1024 * 1024
/** How many records are made at once. */
const recordsPerTurn = 250

/** The records of a list as readers see them: the selected fields, and the records they expand. */
export async function listedRecords(
  rows: readonly Row[],
  table: Table,
  selection: Selection,
  related: Related,
  targetOf: (name: string) => Promise<Table | undefined>,
  search?: Query['search'],
): Promise<ListedRecord[]> {
  const expansions = await Promise.all(
    [...selection.expand.values()].map((one) => expand(rows, one, related, targetOf)),
  )
  const isTooMuch =
    expansions.length > 0 &&
    isTooLarge([...rows.map(sizeOf), ...expansions.map(({ size }) => size)].reduce(addSizes, noSize), expandedBytes)
  if (isTooMuch)
    throw new Invalid(
      {
        per_page: [
          'With what it expands this page is larger than 5 MB. Use a smaller per_page, or name the fields to expand.',
        ],
      },
      { code: 'page_too_large' },
    )
  const records: ListedRecord[] = []
  for (const [index, row] of rows.entries()) {
    if (index % recordsPerTurn === recordsPerTurn - 1) await giveWay()
    records.push({
      ...listedRecord(row, table, selection),
      ...(search && { matched_in: search.matchedIn(row) }),
      ...(expansions.length > 0 && {
        expanded: Object.fromEntries(expansions.map(({ name, values }) => [name, values[index] ?? null])),
      }),
    })
  }
  return records
}

/** A whole record, or its `id` and the selected members. */
function listedRecord({ item, data }: Row, table: Table, { fields, readable }: SelectedMembers): ListedRecord {
  const whole = answerRecord(table, { ...readRecordHead(item), data }, readable)
  if (!fields) return whole
  const asksConversation = [...conversationFields.keys()].some((path) => fields.has(path))
  const kept = ([name]: [string, unknown]): boolean =>
    name === 'id' || (fields.has(name) && standardFields.has(name)) || (name === conversationName && asksConversation)
  const members = Object.fromEntries(Object.entries(whole).filter(kept)) as Pick<ListedRecord, 'id'>
  return { ...members, data: Object.fromEntries(Object.entries(whole.data).filter(([name]) => fields.has(name))) }
}

/** Reads the targets of one reference in one batch: one value per row, null where there is none. */
async function expand(
  rows: readonly Row[],
  { reference, fields, readable }: Expansion,
  related: Related,
  targetOf: (name: string) => Promise<Table | undefined>,
) {
  const name = reference.refersTo as string
  const ids = rows.map((row) => reference.readValue(row))
  const wanted = ids.filter((id): id is number => typeof id === 'number')
  const [table, found] = await Promise.all([
    name === peopleTarget ? undefined : targetOf(name),
    related.findVisible(reference, wanted),
  ])
  const byId = new Map(wanted.map((id, index) => [id, found[index]]))
  const shown = (row: Row | undefined): unknown => {
    if (!row) return null
    if (!table) return { id: row.id, ...((fields?.has('name') ?? true) && { name: row.data.name }) }
    return listedRecord(row, table, { fields, readable })
  }
  const targets = ids.map((id) => (typeof id === 'number' ? byId.get(id) : undefined))
  const size =
    table && !fields ? targets.map((target) => (target ? sizeOf(target) : noSize)).reduce(addSizes, noSize) : noSize
  return { name: reference.name, size, values: targets.map(shown) }
}
