import { Invalid } from '../../../kernel/failures/faults.ts'
import { maxImportFileBytes } from '../../../kernel/limits/imports.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { Accepted } from '../../../platform/http/routing/envelope.ts'
import type { Jobs } from '../../../platform/jobs/service.ts'
import { allocateIds } from '../../../platform/store/sequence/sequence.ts'
import type { RecordDependencies } from '../../../records/records/dependencies.ts'
import type { FileDependencies } from '../../../tables/files/check-upload.ts'
import { requireOwnFile } from '../../../tables/files/own-file.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { batchSequence } from '../../batches/start-batch.ts'
import { errorsOfColumns } from '../../import-mappings/check-mapping.ts'
import { type ImportMapping, mappableFields } from '../../import-mappings/import-mapping.ts'
import { findSavedMapping, type ImportMappingDependencies } from '../../import-mappings/import-mappings.ts'
import { planImport } from '../import/keyed/import-plan.ts'
import { packPlan } from '../import/keyed/stored-plan.ts'
import type { FilePreview, FilePreviewQuery, ImportFileAccepted, ImportFileBody } from '../schema.ts'
import type { FileImportInput } from './file-import-job.ts'
import { formatOf, readFileTable } from './file-table.ts'
import { type Mapping, proposeMapping, requireMapping } from './map-columns.ts'
import { UnreadableCell } from './xlsx/read-cell.ts'

export interface FileImportDependencies {
  readonly records: Pick<RecordDependencies, 'store' | 'clock' | 'tables'>
  readonly files: FileDependencies
  readonly jobs: Pick<Jobs, 'start'>
  readonly fetchObject: (key: string) => Promise<Uint8Array>
  /** What saved mappings are found by. */
  readonly mappings: Pick<ImportMappingDependencies, 'config' | 'tables'>
}

/** Rows that a preview shows. */
const previewedRows = 10

/**
 * Starts the import of a file that the caller uploaded, as a job. What is wrong with the request, or with the columns of
 * the file, is said at once. Throws Invalid, Malformed, NotFound and Forbidden.
 */
export async function startFileImport(
  services: FileImportDependencies,
  caller: Caller,
  model: string,
  given: ImportFileBody,
): Promise<Accepted> {
  const { records, jobs } = services
  const { tenant } = caller
  const table = await records.tables.require(tenant, model)
  const { body, saved } = await withSavedMapping(services, caller, model, given)
  const plan = planImport(caller, table, body, [])
  const file = await requireImportable(services, caller, body.path)
  const format = formatOf(file.name, body.format)
  if (body.mapping) {
    const { columns } = await readColumns(services, file.path, format, body.sheet)
    if (saved) requireFitting(caller, table, columns, saved, plan.isLegacy)
    else requireMapping(caller, table, columns, body.mapping, plan.isLegacy)
  }
  const batchId = body.dry_run ? undefined : await allocateIds(records.store, tenant, batchSequence)
  const input: FileImportInput = {
    model,
    table: table.id,
    path: file.path,
    format,
    ...(body.sheet !== undefined && { sheet: body.sheet }),
    ...(body.mapping && { mapping: body.mapping }),
    plan: packPlan({ ...plan, readsTitles: format !== 'ndjson' }),
    uuid: records.clock.uuid(),
    ...(batchId !== undefined && { batchId }),
    ...(body.skip_notifications && { skipsNotifications: true }),
  }
  const id = await jobs.start(tenant, caller, 'import-file', input)
  return new Accepted({ job_id: id, batch_id: batchId ?? null } satisfies ImportFileAccepted)
}

/** The request with what it leaves out, as the mapping has it that it names. `saved`: when its columns are those that count. */
async function withSavedMapping(
  { mappings }: FileImportDependencies,
  caller: Caller,
  model: string,
  { saved_mapping: named, ...given }: ImportFileBody,
): Promise<{ readonly body: Omit<ImportFileBody, 'saved_mapping'>; readonly saved?: ImportMapping }> {
  if (named === undefined) return { body: given }
  const saved = await findSavedMapping(mappings, caller, model, named)
  const mode = given.mode ?? saved.mode ?? undefined
  const key = given.key ?? (mode === undefined || mode === 'create' ? undefined : (saved.key ?? undefined))
  const body = {
    ...given,
    mapping: given.mapping ?? { ...saved.mapping },
    format: given.format ?? saved.format ?? undefined,
    sheet: given.sheet ?? saved.sheet ?? undefined,
    mode,
    key,
    legacy: given.legacy ?? (saved.legacy || undefined),
  }
  return given.mapping ? { body } : { body, saved }
}

/** Throws Invalid when a saved mapping does not fit a file. */
function requireFitting(
  caller: Caller,
  table: Table,
  columns: readonly string[],
  { name, mapping }: ImportMapping,
  isLegacy: boolean,
): void {
  const problem = problemOf(caller, table, columns, mapping, isLegacy)
  if (problem !== null)
    throw new Invalid({ saved_mapping: [`The import mapping ${name} does not fit this file. ${problem}`] })
}

function problemOf(
  caller: Caller,
  table: Table,
  columns: readonly string[],
  mapping: Mapping,
  isLegacy: boolean,
): string | null {
  return (
    Object.values(errorsOfColumns(caller, table, mapping, isLegacy, columns))
      .flat()
      .join(' ') || null
  )
}

/** What a file holds: its columns, its first rows, and which fields its columns would be. */
export async function previewFile(
  services: FileImportDependencies,
  caller: Caller,
  model: string,
  { path, format: given, sheet: givenSheet, saved_mapping: named }: FilePreviewQuery,
): Promise<FilePreview> {
  const table = await services.records.tables.require(caller.tenant, model)
  const file = await requireImportable(services, caller, path)
  const saved = named === undefined ? undefined : await findSavedMapping(services.mappings, caller, model, named)
  const format = formatOf(file.name, given ?? saved?.format ?? undefined)
  const sheet = givenSheet ?? saved?.sheet ?? undefined
  const read = await readColumns(services, file.path, format, sheet)
  const mapping = saved ? fittingPart(caller, table, read.columns, saved) : proposeMapping(caller, table, read.columns)
  return {
    format,
    sheets: read.sheets ? [...read.sheets] : null,
    sheet: read.sheet ?? null,
    columns: [...read.columns],
    rows: read.rows.slice(0, previewedRows).map((row) => shownRow(row)),
    mapping: { ...mapping },
    unmapped: read.columns.filter((column) => !Object.hasOwn(mapping, column)),
    problem: saved ? problemOf(caller, table, read.columns, saved.mapping, saved.legacy) : null,
  }
}

/** What of a saved mapping a file and its table have. */
function fittingPart(
  caller: Caller,
  table: Table,
  columns: readonly string[],
  { mapping, legacy }: ImportMapping,
): Mapping {
  const names = mappableFields(caller, table, legacy)
  return Object.fromEntries(
    Object.entries(mapping).filter(([column, field]) => columns.includes(column) && names.includes(field)),
  )
}

const shownRow = (row: unknown): Record<string, unknown> =>
  typeof row !== 'object' || row === null || Array.isArray(row)
    ? {}
    : Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          value instanceof Date
            ? value.toISOString().replace(/T00:00:00\.000Z$|\.000Z$|Z$/, '')
            : value instanceof UnreadableCell
              ? value.shown
              : value,
        ]),
      )

async function requireImportable({ files }: FileImportDependencies, caller: Caller, path: string) {
  const file = await requireOwnFile(files, caller, path)
  if (file.size > maxImportFileBytes)
    throw new Invalid({ path: [`The file has more than ${maxImportFileBytes / 1024 / 1024} MB. Divide it.`] })
  return file
}

async function readColumns(
  { fetchObject }: FileImportDependencies,
  path: string,
  format: FilePreview['format'],
  sheet: string | undefined,
) {
  return readFileTable(Buffer.from(await fetchObject(path)), format, { sheet, stopsAt: previewedRows })
}
