import { inspectJson } from '../../http/routing/json-body.ts'
import { Fault, Invalid, type FieldErrors } from '../../kernel/faults.ts'
import {
  type Actor,
  type RecordDependencies,
  missingReferences,
  prepareNewRecord,
  type PreparedRecord,
  guardWrites,
  takenErrors,
} from '../../records/service.ts'
import type { Key } from '../../store/keys/key.ts'
import type { Table } from '../../tables/service.ts'
import type { RowFailure } from '../schema.ts'

/** A row that may be stored, or what is wrong with it. */
export type CheckedRow =
  | { readonly row: number; readonly prepared: PreparedRecord }
  | { readonly row: number; readonly failure: RowFailure }

/** Unique values that earlier rows of the same import hold, by the key of their guard. */
export type HeldValues = Map<string, number>

/** Hooks of so many rows run side by side. */
const sideBySide = 6

/**
 * Checks rows each on its own, `from` being the number of the first: limits, fields, before_create hooks, then references
 * and unique values of all rows in a batch each. Of rows that want the same unique value the first gets it.
 */
export async function checkRows(
  deps: RecordDependencies,
  actor: Actor,
  table: Table,
  rows: readonly unknown[],
  from: number,
  held: HeldValues,
): Promise<CheckedRow[]> {
  const checked: CheckedRow[] = rows.map((_, index) => ({
    row: from + index,
    failure: { row: from + index, errors: null, message: '' },
  }))
  let next = 0
  await Promise.all(
    Array.from({ length: sideBySide }, async () => {
      for (let index = next++; index < rows.length; index = next++)
        checked[index] = await checkRow(deps, actor, table, rows[index], from + index)
    }),
  )
  await refuseMissingAndTaken(deps, actor, table, checked, held)
  return checked
}

async function checkRow(
  deps: RecordDependencies,
  actor: Actor,
  table: Table,
  body: unknown,
  row: number,
): Promise<CheckedRow> {
  try {
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw new Fault('validation_failed', 'The row must be an object.')
    inspectJson(body)
    return { row, prepared: await prepareNewRecord(deps, actor, table, body as Record<string, unknown>) }
  } catch (error) {
    return { row, failure: failureOf(row, error) }
  }
}

/** What is wrong with a row, as its import reports it; a defect is thrown on. */
export function failureOf(row: number, error: unknown): RowFailure {
  if (!(error instanceof Fault)) throw error
  const errors = error instanceof Invalid && Object.keys(error.errors).length > 0 ? bounded(error.errors) : null
  return { row, errors, message: error.message.slice(0, 2000) }
}

const maxNamedFields = 20
const cut = (text: string, length: number): string => text.slice(0, length).toWellFormed()

/** Paths and messages repeat what was sent: without a bound 5,000 rows could ask for an answer nobody can carry. */
const bounded = (errors: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors)
      .slice(0, maxNamedFields)
      .map(([path, messages]) => [cut(path, 100), messages.map((message) => cut(message, 300))]),
  )

async function refuseMissingAndTaken(
  { store, ...deps }: RecordDependencies,
  { tenant }: Actor,
  table: Table,
  checked: CheckedRow[],
  held: HeldValues,
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
      { store, ...deps },
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
  const taken = new Set(found.flatMap((item) => (item ? [String(item.pk)] : [])))
  for (const [place, { index, row }] of prepared.entries()) {
    const guards = wanted[place] ?? []
    const lost = guards.filter(({ key }) => taken.has(key.pk) || (held.get(key.pk) ?? row) < row)
    const errors: FieldErrors = { ...takenErrors(lost.map(({ field }) => field)), ...missing[place] }
    if (Object.keys(errors).length > 0) refuse(checked, index, errors)
    else for (const { key } of guards) held.set(key.pk, row)
  }
}

function refuse(checked: CheckedRow[], index: number, errors: FieldErrors): void {
  const { row } = checked[index] as CheckedRow
  checked[index] = { row, failure: failureOf(row, new Invalid(errors)) }
}
