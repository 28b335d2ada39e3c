import { maxXlsxRecords } from '../../../kernel/limits/imports.ts'
import { mayOnTable } from '../../../kernel/permissions.ts'
import type { Viewer } from '../../../kernel/principal.ts'
import { giveWay } from '../../../kernel/runtime/give-way.ts'
import type { Query } from '../../../lists/query/grammar/parse-query.ts'
import type { ListedRecord, RawQuery } from '../../../lists/query/schema.ts'
import type { Queries } from '../../../lists/query/service.ts'
import { listedRecords } from '../../../records/records/read/listed-records.ts'
import { referencedTable } from '../../../tables/field-types/read-field.ts'
import type { Tables } from '../../../tables/tables/read-tables.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { exportColumns, titleFields } from './export-columns.ts'
import type { FileOptions, RecordFile, XlsxState } from './file-types.ts'
import { recordFile } from './record-file.ts'
import { tooManyRecords } from './xlsx/xlsx-file.ts'

export interface ExportListDependencies {
  readonly tables: Pick<Tables, 'require' | 'find'>
  readonly queries: Pick<Queries, 'parse' | 'page' | 'timeZone'>
}

export interface ExportPage {
  readonly records: readonly ListedRecord[]
  readonly nextCursor: string | null
}

/** Records per page; a page of large records is shorter. */
const pageSize = 1000
/** How many records are written at once: some milliseconds. */
const recordsPerTurn = 250

/**
 * Opens a list that a viewer may see, to read it page by page and to write it into a file. Throws Invalid naming what is
 * wrong with the query, or that the list has more records than the format holds.
 */
export async function openExportList(
  { tables, queries }: ExportListDependencies,
  viewer: Viewer,
  table: Table,
  raw: RawQuery,
  { format, labels, ...checks }: Pick<FileOptions, 'format' | 'labels'> & { readonly checksSlugs?: boolean },
) {
  const { tenant } = viewer
  const targets = await readableTargets(tables, viewer, table)
  const titles = labels ? titleFields({ table, targets }, raw.fields) : []
  const query: Query = await queries.parse(
    viewer,
    table,
    titles.length === 0 ? raw : { ...raw, fields: [...(raw.fields ?? ['*']), ...titles] },
    checks,
  )
  const columns = exportColumns({ table, targets, readable: query.selection.readable }, raw.fields)
  const timeZone = format === 'ndjson' ? 'UTC' : await queries.timeZone(tenant)

  /** The page after a cursor. */
  async function read(cursor: string | null): Promise<ExportPage> {
    const page = await queries.page(tenant, table, query, { offset: 0, limit: pageSize, cursor })
    if (format === 'xlsx' && page.total > maxXlsxRecords) throw tooManyRecords(page.total)
    const records = await listedRecords(page.rows, table, query.selection, page.related, (name) =>
      tables.find(tenant, name),
    )
    return { records, nextCursor: page.nextCursor }
  }

  /** The file, at its beginning or with the state of a process that wrote a part of it. */
  const open = (beganAt: Date, state?: XlsxState | null): RecordFile =>
    recordFile(columns, { format, labels, timeZone, title: table.label, beganAt }, state)

  return { read, open }
}

/** Writes records into a file, a piece at a time, and gives way in between. */
export async function* writePieces(
  file: Pick<RecordFile, 'add'>,
  records: readonly ListedRecord[],
): AsyncGenerator<string | Buffer> {
  for (let from = 0; from < records.length; from += recordsPerTurn) {
    if (from > 0) await giveWay()
    yield file.add(records.slice(from, from + recordsPerTurn))
  }
}

/** The tables that fields refer to and that the viewer may read, by name. */
async function readableTargets(
  tables: Pick<Tables, 'find'>,
  viewer: Viewer,
  table: Table,
): Promise<ReadonlyMap<string, Table>> {
  const names = new Set(table.table_fields.flatMap((field) => referencedTable(field) ?? []))
  const found = await Promise.all(
    [...names].filter((name) => mayOnTable(viewer, name, 'read')).map((name) => tables.find(viewer.tenant, name)),
  )
  return new Map(found.flatMap((target) => (target ? [[target.name, target] as const] : [])))
}
