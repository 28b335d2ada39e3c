import { Fault, Invalid, type FieldErrors } from '../../../kernel/failures/faults.ts'
import { maxNamedFieldsPerRow } from '../../../kernel/limits/imports.ts'
import { createTurns } from '../../../kernel/runtime/give-way.ts'
import { inspectJson } from '../../../platform/http/routing/json/inspect-json.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import {
  type Actor,
  type RecordDependencies,
  missingReferences,
  prepareNewRecord,
  type PreparedRecord,
  guardWrites,
  takenErrors,
} from '../../../records/records/service.ts'
import type { Table } from '../../../tables/tables/service.ts'
import type { RowFailure } from '../schema.ts'

/** A row that may be stored, or its failure. */
export type CheckedRow =
  | { readonly row: number; readonly prepared: PreparedRecord }
  | { readonly row: number; readonly failure: RowFailure }

/** The unique values of earlier rows of the same import: partition key of the guard to row number. */
export type SeenValues = Map<string, number>

/** How many rows are checked, and their hooks run, in parallel. */
const parallelRows = 6

/**
 * Checks rows one by one (limits, fields, before_create hooks), then the references and the unique values of all rows
 * in one batch each. `from` is the number of the first row. Of several rows with the same unique value the first one
 * passes.
 */
export async function checkRows(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  rows: readonly unknown[],
  from: number,
  seen: SeenValues,
): Promise<CheckedRow[]> {
  const checked: CheckedRow[] = rows.map((_, index) => ({
    row: from + index,
    failure: { row: from + index, errors: null, message: '' },
  }))
  let next = 0
  const nextTurn = createTurns()
  await Promise.all(
    Array.from({ length: parallelRows }, async () => {
      for (let index = next++; index < rows.length; index = next++) {
        checked[index] = await checkRow(records, actor, table, rows[index], from + index)
        await nextTurn()
      }
    }),
  )
  await refuseMissingAndTaken(records, actor, table, checked, seen)
  return checked
}

async function checkRow(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  body: unknown,
  row: number,
): Promise<CheckedRow> {
  try {
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw new Fault('validation_failed', 'The row must be an object.')
    inspectJson(body)
    return { row, prepared: await prepareNewRecord(records, actor, table, body as Record<string, unknown>) }
  } catch (error) {
    return { row, failure: failureOf(row, error) }
  }
}

/** The failure of a row from a Fault; rethrows every other error. */
export function failureOf(row: number, error: unknown): RowFailure {
  if (!(error instanceof Fault)) throw error
  const errors = error instanceof Invalid && Object.keys(error.errors).length > 0 ? bounded(error.errors) : null
  return { row, errors, message: error.message.slice(0, 2000) }
}

const cut = (text: string, length: number): string => text.slice(0, length).toWellFormed()

/** Limits the errors of one row: paths and messages repeat the input, and 5,000 rows must fit into one answer. */
const bounded = (errors: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors)
      .slice(0, maxNamedFieldsPerRow)
      .map(([path, messages]) => [cut(path, 100), messages.map((message) => cut(message, 300))]),
  )

async function refuseMissingAndTaken(
  { store, ...services }: RecordDependencies,
  { tenant }: Actor,
  table: Table,
  checked: CheckedRow[],
  seen: SeenValues,
): Promise<void> {
  const prepared = checked.flatMap((one, index) =>
    'prepared' in one ? [{ index, row: one.row, ...one.prepared }] : [],
  )
  const wanted = prepared.map(({ data }) =>
    guardWrites(tenant, table, 0, undefined, data).map(({ field, write }) => ({
      field,
      key: (write as { put: Key }).put,
    })),
  )
  const [missing, found] = await Promise.all([
    missingReferences(
      { store, ...services },
      tenant,
      table,
      prepared.map(({ data, unchecked, viewer }) => ({ data, fields: unchecked, viewer })),
    ),
    wanted.flat().length === 0
      ? []
      : store.getMany(
          tenant,
          wanted.flat().map(({ key }) => key),
          ['pk', 'sk'],
        ),
  ])
  const stored = new Set(found.flatMap((item) => (item ? [String(item.pk)] : [])))
  for (const [position, { index, row }] of prepared.entries()) {
    const guards = wanted[position] ?? []
    const lost = guards.filter(({ key }) => stored.has(key.pk) || (seen.get(key.pk) ?? row) < row)
    const errors: FieldErrors = { ...takenErrors(lost.map(({ field }) => field)), ...missing[position] }
    if (Object.keys(errors).length > 0) refuse(checked, index, errors)
    else for (const { key } of guards) seen.set(key.pk, row)
  }
}

function refuse(checked: CheckedRow[], index: number, errors: FieldErrors): void {
  const { row } = checked[index] as CheckedRow
  checked[index] = { row, failure: failureOf(row, new Invalid(errors)) }
}
