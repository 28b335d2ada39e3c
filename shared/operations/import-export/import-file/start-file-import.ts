import { Invalid } from '../../../kernel/failures/faults.ts'
import { maxImportFileBytes } from '../../../kernel/limits/imports.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { Accepted } from '../../../platform/http/routing/envelope.ts'
import type { Jobs } from '../../../platform/jobs/service.ts'
import { allocateIds } from '../../../platform/store/sequence/sequence.ts'
import type { RecordDependencies } from '../../../records/records/service.ts'
import { type FileDependencies, requireOwnFile } from '../../../tables/files/service.ts'
import { batchSequence } from '../../batches/service.ts'
import { planImport } from '../import/keyed/import-plan.ts'
import { packPlan } from '../import/keyed/stored-plan.ts'
import type { FilePreview, FilePreviewQuery, ImportFileAccepted, ImportFileBody } from '../schema.ts'
import type { FileImportInput } from './file-import-job.ts'
import { formatOf, readFileTable } from './file-table.ts'
import { proposeMapping, requireMapping } from './map-columns.ts'

export interface FileImportDependencies {
  readonly records: Pick<RecordDependencies, 'store' | 'clock' | 'tables'>
  readonly files: FileDependencies
  readonly jobs: Pick<Jobs, 'start'>
  readonly fetchObject: (key: string) => Promise<Uint8Array>
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
  body: ImportFileBody,
): Promise<Accepted> {
  const { records, jobs } = services
  const { tenant } = caller
  const table = await records.tables.require(tenant, model)
  const plan = planImport(caller, table, body, [])
  const file = await requireImportable(services, caller, body.path)
  const format = formatOf(file.name, body.format)
  if (body.mapping) {
    const { columns } = await readColumns(services, file.path, format, body.sheet)
    requireMapping(caller, table, columns, body.mapping, plan.isLegacy)
  }
  const batchId = body.dry_run ? undefined : await allocateIds(records.store, tenant, batchSequence)
  const input: FileImportInput = {
    model,
    table: table.id,
    path: file.path,
    format,
    ...(body.sheet !== undefined && { sheet: body.sheet }),
    ...(body.mapping && { mapping: body.mapping }),
    plan: packPlan(plan),
    uuid: records.clock.uuid(),
    ...(batchId !== undefined && { batchId }),
    ...(body.skip_notifications && { skipsNotifications: true }),
  }
  const id = await jobs.start(tenant, caller, 'import-file', input)
  return new Accepted({ job_id: id, batch_id: batchId ?? null } satisfies ImportFileAccepted)
}

/** What a file holds: its columns, its first rows, and which fields its columns would be. */
export async function previewFile(
  services: FileImportDependencies,
  caller: Caller,
  model: string,
  { path, format: given, sheet }: FilePreviewQuery,
): Promise<FilePreview> {
  const table = await services.records.tables.require(caller.tenant, model)
  const file = await requireImportable(services, caller, path)
  const format = formatOf(file.name, given)
  const read = await readColumns(services, file.path, format, sheet)
  const mapping = proposeMapping(caller, table, read.columns)
  return {
    format,
    sheets: read.sheets ? [...read.sheets] : null,
    sheet: read.sheet ?? null,
    columns: [...read.columns],
    rows: read.rows.slice(0, previewedRows).map((row) => shownRow(row)),
    mapping: { ...mapping },
    unmapped: read.columns.filter((column) => !Object.hasOwn(mapping, column)),
  }
}

const shownRow = (row: unknown): Record<string, unknown> =>
  typeof row !== 'object' || row === null || Array.isArray(row)
    ? {}
    : Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          value instanceof Date ? value.toISOString().replace(/T00:00:00\.000Z$|\.000Z$|Z$/, '') : value,
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
