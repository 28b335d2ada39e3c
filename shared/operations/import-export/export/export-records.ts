import { Invalid } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { publicTable } from '../../../kernel/table-names.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { isGridRequest } from '../../../lists/query/ag-grid/grid-request.ts'
import type { RawQuery } from '../../../lists/query/schema.ts'
import type { Queries } from '../../../lists/query/service.ts'
import {
  addSizes,
  type AnswerSize,
  isTooLarge,
  noSize,
  sizeOfText,
} from '../../../platform/http/routing/answer-size.ts'
import { Accepted, Reply } from '../../../platform/http/routing/envelope.ts'
import type { Jobs } from '../../../platform/jobs/service.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { ExportBody, ExportQuery } from '../schema.ts'
import { type ExportListDependencies, type ExportPage, openExportList, writePieces } from './export-list.ts'
import type { FileOptions } from './file-types.ts'

export interface ExportDependencies extends ExportListDependencies {
  readonly jobs: Pick<Jobs, 'start'>
  readonly clock: Pick<Clock, 'now'>
  readonly queries: ExportListDependencies['queries'] & Pick<Queries, 'parseGrid'>
}

type Answer = Promise<Reply<string | Buffer> | Accepted>

/** Answers a list as a file: the query as parameters, its filter read. */
export async function exportByParameters(
  services: ExportDependencies,
  caller: Caller,
  model: string,
  { format, labels, ...query }: RawQuery & Pick<ExportQuery, 'format' | 'labels'>,
  timeIsUp: () => boolean,
): Answer {
  const table = await services.tables.require(caller.tenant, model)
  return exportRecords(services, caller, table, query, { format, labels: labels === true }, timeIsUp)
}

/** Answers a list as a file: the query as a body, in our grammar or AG Grid's. */
export async function exportByBody(
  services: ExportDependencies,
  caller: Caller,
  model: string,
  { format, labels, ...body }: ExportBody,
  timeIsUp: () => boolean,
): Answer {
  const table = await services.tables.require(caller.tenant, model)
  const options = { format, labels: labels === true }
  if (!isGridRequest(body)) return exportRecords(services, caller, table, body, options, timeIsUp)
  const { grid } = await services.queries.parseGrid(caller, table, asRecords(body))
  return exportRecords(services, caller, table, grid.query, options, timeIsUp, { checksSlugs: false })
}

type GridBody = Omit<ExportBody, 'format' | 'labels'>

/** The grid's request for the records of what it shows: where it has groups, they are sorted by them. */
function asRecords({ rowGroupCols, groupKeys, sortModel, ...body }: GridBody): GridBody {
  const groups = rowGroupCols ?? []
  const opened = groupKeys?.length ?? 0
  const sorted = (sortModel ?? []).map(({ colId }) => colId)
  const byGroups = groups
    .slice(opened)
    .flatMap(({ id, field }) => field ?? id ?? [])
    .filter((column) => !sorted.includes(column))
    .map((colId) => ({ colId, sort: 'asc' as const }))
  return {
    ...body,
    valueCols: null,
    groupKeys,
    rowGroupCols: groups.slice(0, opened),
    sortModel: [...byGroups, ...(sortModel ?? [])],
  }
}

/**
 * Answers the whole list as a file. A job writes files larger than 4 MB, and slow ones.
 */
async function exportRecords(
  services: ExportDependencies,
  caller: Caller,
  table: Table,
  query: RawQuery,
  options: Pick<FileOptions, 'format' | 'labels'>,
  timeIsUp: () => boolean,
  // A grid filters by values that it has read, which may be of options that were removed.
  { checksSlugs }: { readonly checksSlugs: boolean } = { checksSlugs: true },
): Answer {
  if (options.labels && options.format === 'ndjson')
    throw new Invalid({ labels: ['NDJSON has names and values as the API has them: labels are for csv and xlsx.'] })
  const { name: model } = table
  const { read, open } = await openExportList(services, caller, table, query, { ...options, checksSlugs })
  const file = open(new Date(services.clock.now()))
  const pieces: (string | Buffer)[] = []
  let size = noSize
  const add = (piece: string | Buffer): boolean => {
    pieces.push(piece)
    size = addSizes(size, sizeOfPiece(piece))
    return !isTooLarge(size)
  }
  add(file.head())
  let cursor: string | null = null
  do {
    const page: ExportPage = await read(cursor)
    let fits = true
    for await (const piece of writePieces(file, page.records)) fits = add(piece)
    if (!fits || (page.nextCursor !== null && timeIsUp()))
      return new Accepted({
        job_id: await services.jobs.start(caller.tenant, caller, 'export', { model, ...options, query }),
      })
    cursor = page.nextCursor
  } while (cursor !== null)
  pieces.push(file.tail())
  return new Reply(joined(pieces), {
    'content-type': file.contentType,
    'content-disposition': `attachment; filename="${publicTable(caller.tenant, model)}.${file.extension}"`,
  })
}

const joined = (pieces: readonly (string | Buffer)[]): string | Buffer =>
  pieces.some((piece) => typeof piece !== 'string')
    ? Buffer.concat(pieces.map((piece) => Buffer.from(piece)))
    : pieces.join('')

/** Lambda carries bytes as base64. */
const sizeOfPiece = (piece: string | Buffer): AnswerSize =>
  typeof piece === 'string' ? sizeOfText(piece) : { bytes: piece.length, carried: Math.ceil(piece.length / 3) * 4 }
