import { Invalid } from '../../../kernel/failures/faults.ts'
import { permissionMissing } from '../../../kernel/failures/permission-missing.ts'
import { maxColumnCharacters, maxSearchedTables } from '../../../kernel/limits/lists.ts'
import { mayOnTable, permittedFields } from '../../../kernel/permissions.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { thereIsNo } from '../../../kernel/text/did-you-mean.ts'
import type { Query } from '../../../lists/query/grammar/parse-query.ts'
import { type Row, sizeOf } from '../../../lists/query/read/row.ts'
import type { Term } from '../../../lists/search/terms.ts'
import { searchedColumns } from '../../../lists/search/words-of.ts'
import { addSizes, isTooLarge, noSize } from '../../../platform/http/routing/answer-size.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { RecordDependencies } from '../dependencies.ts'
import type { FoundInTable, FoundRecord } from '../schema.ts'
import { highlight } from './highlight.ts'
import type { ListDependencies } from './list-records.ts'
import { idsOfHolder, mergedAmong, mergedByValues, readableHolders } from './merged-holders.ts'
import { idsNamed, isNumber } from './selected-record.ts'

/** So many tables are searched at once. */
const tablesAtOnce = 10
/** Highlights of a record, those of the title first. */
const highlightsOfRecord = 3
/** The score of a record whose id or number was typed: above those of words. */
const scoreOfNumber = 1_000_000

interface SearchDependencies extends Pick<ListDependencies, 'queries'>, Pick<RecordDependencies, 'access'> {
  readonly store: Pick<Store, 'getMany'>
}

interface Asked {
  readonly q: string
  /** The tables to search; undefined: all that the caller may read. */
  readonly tables?: readonly string[] | null
  /** Records of each table. */
  readonly limit: number
}

/**
 * The best matches in all tables that a caller may read, by table, the table with the best match first. Each table is
 * searched as its list is, so that row rules and field rules hold.
 */
export async function searchEverywhere(
  services: ListDependencies & SearchDependencies,
  caller: Caller,
  { q, tables: names, limit }: Asked,
): Promise<FoundInTable[]> {
  const searched = await tablesToSearch(services, caller, q, names)
  const found: Found[] = []
  for (let from = 0; from < searched.length; from += tablesAtOnce) {
    const some = searched.slice(from, from + tablesAtOnce)
    const groups = await Promise.all(some.map((table) => searchIn(services, caller, table, q, limit)))
    found.push(...groups.flatMap((one) => one ?? []))
  }
  return found
    .toSorted((a, b) => b.best - a.best || a.group.model.localeCompare(b.group.model, 'en'))
    .map(({ group }) => group)
}

interface Found {
  readonly best: number
  readonly group: FoundInTable
}

async function tablesToSearch(
  { tables }: Pick<ListDependencies, 'tables'>,
  caller: Caller,
  q: string,
  names: Asked['tables'],
): Promise<readonly Table[]> {
  const all = await tables.all(caller.tenant)
  const readable = all.filter(({ name }) => mayOnTable(caller, name, 'read'))
  if (!names?.length) {
    const searchable = readable.filter((table) => searchedColumns(table).length > 0 || isNumber(q))
    if (searchable.length <= maxSearchedTables) return searchable
    throw new Invalid({
      tables: [
        `You may read ${searchable.length} tables, and ${maxSearchedTables} can be searched at once. Name those that you mean.`,
      ],
    })
  }
  const wanted = [...new Set(names.map((name) => name.trim()))]
  if (wanted.length > maxSearchedTables)
    throw new Invalid({ tables: [`The tables may not have more than ${maxSearchedTables} items.`] })
  return wanted.map((name) => {
    const table = readable.find((one) => one.name === name)
    if (table) return table
    if (!mayOnTable(caller, name, 'read')) throw permissionMissing(name, 'read')
    throw new Invalid({
      tables: [
        `The selected tables is invalid: ${thereIsNo(
          'table',
          name,
          readable.map((one) => one.name),
        )}`,
      ],
    })
  })
}

/** What is found in a table; undefined when that is nothing. The records whose id or number it is come first. */
async function searchIn(
  services: SearchDependencies,
  caller: Caller,
  table: Table,
  text: string,
  limit: number,
): Promise<Found | undefined> {
  const { name: model, label } = table
  const [named, matching] = await Promise.all([
    recordsNumbered(services, caller, table, text),
    recordsMatching(services, caller, table, text, limit),
  ])
  const { query, rows, total, problem } = matching
  if (named.length + rows.length === 0 && problem === null) return undefined
  const ids = new Set(named.map(({ id }) => id))
  const shown = [...named, ...rows.filter(({ id }) => !ids.has(id))].slice(0, limit)
  if (isTooLarge(shown.map(sizeOf).reduce(addSizes, noSize))) throw tooLarge()
  const terms = query?.search?.terms ?? []
  const readable = permittedFields(caller, model, 'read')
  const records = shown.map((row) => {
    const score = ids.has(row.id) ? scoreOfNumber : Number(query?.search?.rank.readValue(row) ?? 0)
    const matched_in = query?.search?.matchedIn(row) ?? []
    return { ...describe(table, readable, row, terms), matched_in, score }
  })
  const others = named.filter((row) => !query?.search?.matches(row))
  return {
    best: records[0]?.score ?? 0,
    group: { model, label, total: total === null ? null : total + others.length, records, problem },
  }
}

/**
 * The records whose id, or number of an `auto_number`, a text is, and those that a record was merged into whose id, number or
 * unique value it is; as far as the caller may read them.
 */
async function recordsNumbered(
  services: SearchDependencies,
  caller: Caller,
  table: Table,
  text: string,
): Promise<readonly Row[]> {
  const { queries } = services
  const named = idsNamed(table, permittedFields(caller, table.name, 'read'), text)
  const ids = [...new Set([...named, ...(await survivorsNamed(services, caller, table, named, text))])]
  if (ids.length === 0) return []
  const query = await queries.parse(caller, table, { filter: { id: { _in: ids } } })
  return (await queries.page(caller.tenant, table, query, { offset: 0, limit: ids.length })).rows
}

async function survivorsNamed(
  { store, access }: SearchDependencies,
  caller: Caller,
  table: Table,
  named: readonly number[],
  text: string,
): Promise<readonly number[]> {
  const readable = permittedFields(caller, table.name, 'read')
  const asked = table.uniqueFields
    .filter((field) => readable?.has(field) !== false)
    .map((field) => ({ field, value: text.trim() }))
  const [byId, byValue] = await Promise.all([
    mergedAmong(store, caller.tenant, table.name, named),
    mergedByValues(store, caller.tenant, table, asked),
  ])
  const holders = [...byId.values(), ...byValue.filter((one) => one !== undefined)]
  return (await readableHolders(access, caller, table.name, holders)).map((holder) => idsOfHolder(holder).into)
}

interface Matching {
  readonly query?: Query
  readonly rows: readonly Row[]
  readonly total: number | null
  readonly problem: string | null
}

async function recordsMatching(
  { queries }: Pick<ListDependencies, 'queries'>,
  caller: Caller,
  table: Table,
  text: string,
  limit: number,
): Promise<Matching> {
  if (searchedColumns(table).length === 0) return { rows: [], total: 0, problem: null }
  try {
    const query = await queries.parse(caller, table, { search: text })
    const { rows, total } = await queries.page(caller.tenant, table, query, { offset: 0, limit })
    return { query, rows, total, problem: null }
  } catch (error) {
    // A table with too many matches keeps nobody from those of others.
    if (!(error instanceof Invalid)) throw error
    return { rows: [], total: null, problem: Object.values(error.errors).flat().join(' ') || error.message }
  }
}

const tooLarge = (): Invalid =>
  new Invalid({ limit: ['These records are larger than 4 MB. Use a smaller limit.'] }, { code: 'page_too_large' })

function describe(
  table: Table,
  readable: ReadonlySet<string> | undefined,
  row: Row,
  terms: readonly Term[],
): Omit<FoundRecord, 'score' | 'matched_in'> {
  const columns = searchedColumns(table).filter((name) => readable?.has(name) !== false)
  const highlights = columns.flatMap((field) => {
    const value = row.data[field]
    const found = typeof value === 'string' ? highlight(value.slice(0, maxColumnCharacters), terms) : undefined
    return found ? [{ field, text: found.text, marks: found.marks.map(([from, to]) => [from, to]) }] : []
  })
  const { title_field: title } = table
  const shown = title !== null && readable?.has(title) !== false ? row.data[title] : undefined
  return {
    id: row.id,
    title: typeof shown === 'string' || typeof shown === 'number' ? String(shown) : null,
    highlights: highlights.slice(0, highlightsOfRecord),
  }
}
