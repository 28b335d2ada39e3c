import * as z from 'zod'
import { Conflict } from '../../../kernel/failures/faults.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { defineJob, type JobKind, type JobStep } from '../../../platform/jobs/define-job.ts'
import { importKey } from '../../../platform/store/keys/jobs.ts'
import { reserveIds } from '../../../platform/store/sequence/sequence.ts'
import { isRefusal } from '../../../platform/store/writes/refusals.ts'
import type { Actor } from '../../../records/records/actor.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { endImportBatch, failImportBatch, prepareImportBatch } from '../../batches/import-batch.ts'
import { ImportFormat } from '../../import-mappings/schema.ts'
import { type DryRun, dryRunRows, newDryRun } from '../import/dry-run-rows.ts'
import { actorOf, type ImportJobDependencies } from '../import/import-job.ts'
import { type ImportProgress, isFree, progressItem, readProgress } from '../import/import-progress.ts'
import { importRows } from '../import/import-rows.ts'
import { repeatedKeys } from '../import/keyed/import-plan.ts'
import { StoredPlan, unpackPlan } from '../import/keyed/stored-plan.ts'
import { importActor } from '../import/legacy/import-actor.ts'
import { passNumbers } from '../import/legacy/legacy-rows.ts'
import { readCells } from '../import/read-cells.ts'
import { fetchRemainingRows, putRemainingRows, remainingRowsObject } from '../import/remaining-rows.ts'
import type { FileImported, RowFailure } from '../schema.ts'
import { readFileTable } from './file-table.ts'
import { type Mapping, mapRows, proposeMapping, requireMapping } from './map-columns.ts'

/** Rows that are stored as one import: their failures fit into its row. */
const rowsPerPart = 5000
const changedPauseMs = 1_000
/** How long the progress of a part is kept. */
const keptSeconds = 7 * 24 * 60 * 60

const Input = z.object({
  model: z.string(),
  table: z.number(),
  path: z.string(),
  format: ImportFormat,
  sheet: z.string().optional(),
  mapping: z.record(z.string(), z.string()).optional(),
  plan: StoredPlan,
  /** Names what the job stores. */
  uuid: z.string(),
  /** Absent of a dry run. */
  batchId: z.number().optional(),
  skipsNotifications: z.literal(true).optional(),
})
export type FileImportInput = z.output<typeof Input>

/** Which part of the file is next, and what the parts before came to. */
interface State {
  readonly part: number
  readonly parts: number
  readonly total: number
  readonly firstId: number
  readonly mapping: Mapping
  readonly unmapped: readonly string[]
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly failed: number
  /** Of the part that a dry run checks. */
  readonly run?: Omit<DryRun, 'failures'>
}

/** What a job that imports a file needs. */
type Dependencies = ImportJobDependencies & { readonly timeZone: (tenant: Tenant) => Promise<string> }

/**
 * Imports a file: the first step reads it and puts its rows into parts, then each part is an import of its own, whose row
 * has its progress. So a step that is repeated after a crash stores no row twice.
 */
export const fileImportJob = (records: Dependencies): JobKind =>
  defineJob(
    'import-file',
    Input,
    async ({ tenant, actor: starter, timeIsUp }, input, state: State | undefined): Promise<JobStep<State>> => {
      const table = await records.tables.require(tenant, input.model)
      if (table.id !== input.table)
        throw new Conflict('write_conflict', `The table ${input.model} was removed during the import and made anew.`)
      const writer = await actorOf(records, tenant, starter)
      if (!state) {
        const first = await divideFile(records, writer, table, input)
        return { state: first, done: 0, total: first.total }
      }
      if (state.part === state.parts) return end(records, tenant, input, state)
      const { rows, offset, ...refused } = await fetchRemainingRows(
        records.objects,
        remainingRowsObject(tenant, `${input.uuid}-${state.part}`),
      )
      const plan = unpackPlan(input.plan, refused)
      const actor = importActor(writer, plan, {
        skipsNotifications: input.skipsNotifications === true,
        batchId: input.batchId,
      })
      const toColumns = columnErrors(state.mapping)
      if (input.batchId === undefined) {
        const begun: DryRun = { ...newDryRun, nextRow: offset, ...state.run, failures: [] }
        const { failures, ...run } = await dryRunRows(records, actor, table, plan, rows, offset, begun, timeIsUp)
        const after = { ...state, failed: state.failed + failures.length }
        const progress = { done: run.nextRow, total: state.total, errors: failures.map(toColumns) }
        if (run.nextRow < offset + rows.length) return { state: { ...after, run }, ...progress }
        const { run: _run, ...counted } = after
        return { state: { ...counted, ...added(counted, run), part: state.part + 1 }, ...progress }
      }
      const begun = await beginPart(records, tenant, input, state, offset, rows.length)
      const { progress, tableChanged } = await importRows(records, actor, table, plan, rows, offset, begun, timeIsUp)
      const { nextRow, failures, written = [] } = progress
      if (nextRow < progress.total)
        return { state, done: nextRow, total: state.total, ...(tableChanged && { pauseMs: changedPauseMs }) }
      const updated = written.filter(({ as }) => as === 'updated').length
      const counts = {
        created: rows.length - failures.length - written.length,
        updated,
        unchanged: written.length - updated,
      }
      return {
        state: { ...state, ...added(state, counts), failed: state.failed + failures.length, part: state.part + 1 },
        done: nextRow,
        total: state.total,
        errors: failures.map(toColumns),
      }
    },
    {
      async giveUp({ tenant }, { batchId }) {
        if (batchId === undefined) return undefined
        const problem = 'The job that imported the file failed: its errors say why. What it stored can be undone.'
        await failImportBatch(records, tenant, batchId, problem)
        return { batch_id: batchId }
      },
    },
  )

type Counts = Pick<State, 'created' | 'updated' | 'unchanged'>

const added = (before: Counts, more: Counts): Counts => ({
  created: before.created + more.created,
  updated: before.updated + more.updated,
  unchanged: before.unchanged + more.unchanged,
})

/** Names the columns of the file instead of the fields that they are mapped to. */
function columnErrors(mapping: Mapping): (failure: RowFailure) => RowFailure {
  const columns = new Map(Object.entries(mapping).map(([column, field]) => [field, column]))
  return ({ row, errors, message }) => ({
    row,
    errors:
      errors && Object.fromEntries(Object.entries(errors).map(([field, why]) => [columns.get(field) ?? field, why])),
    message,
  })
}

/** Reads the file, and puts its rows into parts. Repeated, it writes the same ones again. */
async function divideFile(records: Dependencies, actor: Actor, table: Table, input: FileImportInput): Promise<State> {
  const { store, clock, objects } = records
  const { tenant } = actor
  const file = await readFileTable(Buffer.from(await objects.fetchObject(input.path)), input.format, {
    sheet: input.sheet,
  })
  const { isLegacy, mode, key } = input.plan
  const mapping = input.mapping ?? proposeMapping(actor, table, file.columns, { guesses: false, isLegacy })
  requireMapping(actor, table, file.columns, mapping, isLegacy)
  const mapped = mapRows(table, file.rows, mapping, await records.timeZone(tenant))
  const rows = file.coerce ? readCells(table, mapped.rows) : mapped.rows
  const repeated = key ? [...repeatedKeys(table, key, rows)] : []
  const parts = Math.ceil(rows.length / rowsPerPart)
  for (let part = 0; part < parts; part += 1) {
    const [from, to] = [part * rowsPerPart, (part + 1) * rowsPerPart]
    await putRemainingRows(objects, remainingRowsObject(tenant, `${input.uuid}-${part}`), {
      offset: from,
      rows: rows.slice(from, to),
      repeated: repeated.filter(([row]) => row >= from && row < to),
      unreadable: [...mapped.unreadable].filter(([row]) => row >= from && row < to),
    })
  }
  const counts = { part: 0, parts, total: rows.length, created: 0, updated: 0, unchanged: 0, failed: 0 }
  const unmapped = file.columns.filter((column) => !Object.hasOwn(mapping, column))
  const state = { ...counts, mapping, unmapped }
  if (input.batchId === undefined) return { ...state, firstId: 1 }
  if (isLegacy) await passNumbers({ store }, actor, table, rows)
  const mayCreate = mode === 'update' ? 0 : rows.length
  const firstId = mayCreate === 0 ? 1 : await reserveIds(store, tenant, table.name, mayCreate)
  const whole = progressOf(tenant, input, 'whole', { firstId, nextRow: 0, total: rows.length, nowMs: clock.now() })
  const { write } = await prepareImportBatch({ store, clock }, actor, table.name, {
    id: input.batchId,
    firstId,
    total: rows.length,
    created: mayCreate,
  })
  try {
    await store.transact(tenant, [{ put: progressItem(whole), if: isFree(clock.now()) }, write], clock.uuid())
    return { ...state, firstId }
  } catch (error) {
    // An earlier attempt has begun the import: the ids are those that it reserved.
    const begun = isRefusal(error) && readProgress(whole.key, await store.get(tenant, whole.key), clock.now())
    if (!begun) throw error
    return { ...state, firstId: begun.firstId }
  }
}

/** The progress of a part, which begins now or began before. */
async function beginPart(
  { store, clock }: Dependencies,
  tenant: Tenant,
  input: FileImportInput,
  { part, firstId }: State,
  offset: number,
  count: number,
): Promise<ImportProgress> {
  const range = { firstId, nextRow: offset, total: offset + count, nowMs: clock.now() }
  const fresh = progressOf(tenant, input, String(part), range)
  try {
    await store.write(tenant, { put: progressItem(fresh), if: isFree(clock.now()) })
    return { ...fresh, failures: [] }
  } catch (error) {
    const begun = isRefusal(error) && readProgress(fresh.key, await store.get(tenant, fresh.key), clock.now())
    if (!begun) throw error
    return begun
  }
}

const progressOf = (
  tenant: Tenant,
  { uuid, model, plan, batchId }: FileImportInput,
  part: string,
  {
    nowMs,
    ...range
  }: { readonly firstId: number; readonly nextRow: number; readonly total: number; readonly nowMs: number },
) => ({
  key: importKey(tenant, `${uuid}-${part}`),
  model,
  ...range,
  expiresAt: Math.floor(nowMs / 1000) + keptSeconds,
  ...(batchId !== undefined && { batchId }),
  mode: plan.mode,
})

async function end(records: Dependencies, tenant: Tenant, { batchId }: FileImportInput, state: State) {
  const { total, created, updated, unchanged, failed, mapping, unmapped } = state
  const counts = { created, updated, unchanged, failed }
  if (batchId !== undefined) await endImportBatch(records, tenant, batchId, counts)
  const result: FileImported = {
    batch_id: batchId ?? null,
    total,
    ...counts,
    mapping: { ...mapping },
    unmapped: [...unmapped],
  }
  return { ended: 'done', done: total, total, result } as const
}
