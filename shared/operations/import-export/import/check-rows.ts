import { Fault, type FieldErrors, Invalid } from '../../../kernel/failures/faults.ts'
import { createTurns } from '../../../kernel/runtime/give-way.ts'
import { inspectJson } from '../../../platform/http/routing/json/inspect-json.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import type { Actor } from '../../../records/records/actor.ts'
import { missingReferences } from '../../../records/records/write/check-references.ts'
import { prepareLegacyRecord, prepareNewRecord } from '../../../records/records/write/create-record.ts'
import { explainTaken, type TakenValues } from '../../../records/records/write/taken-values.ts'
import { guardWrites, takenErrors } from '../../../records/records/write/unique-guards.ts'
import { typeOfField } from '../../../tables/field-types/read-field.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { findByKey, type Found, type KeyedDependencies } from './keyed/find-by-key.ts'
import type { ImportPlan } from './keyed/import-plan.ts'
import type { openTitles, ReadTitles } from './keyed/reference-titles.ts'
import { openOrigins, requireNumbers } from './legacy/legacy-rows.ts'
import { type CheckedRow, failureOf, withErrors } from './outcomes/row-outcome.ts'

/** The unique values of earlier rows of the same import: partition key of the guard to row number. */
export type SeenValues = Map<string, number>

/** How many rows are checked, and their hooks run, in parallel. */
const parallelRows = 6

/**
 * Checks rows one by one (limits, fields, before_create hooks), then the references and the unique values of all rows
 * in one batch each. `from` is the number of the first row. Of several rows with the same unique value the first one
 * passes. By a key, rows whose record there is are found first, and left to `updateRows`. `readTitles`: of references.
 */
export async function checkRows(
  records: KeyedDependencies,
  actor: Actor,
  table: Table,
  plan: ImportPlan,
  given: readonly unknown[],
  from: number,
  seen: SeenValues,
  {
    isDryRun = false,
    readTitles,
  }: { readonly isDryRun?: boolean; readonly readTitles?: ReturnType<typeof openTitles> } = {},
): Promise<CheckedRow[]> {
  const { key } = plan
  const { rows, errors: unnamed }: ReadTitles = readTitles
    ? await readTitles(given)
    : { rows: given, errors: new Map() }
  const found = key && (await findByKey(records, actor, table, { ...plan, key }, rows, from))
  const prepare = plan.isLegacy ? openLegacy(records, actor, table) : prepareNewRecord
  const checked: CheckedRow[] = rows.map((_, index) => ({
    row: from + index,
    failure: { row: from + index, errors: null, message: '' },
  }))
  let next = 0
  const nextTurn = createTurns()
  await Promise.all(
    Array.from({ length: parallelRows }, async () => {
      for (let index = next++; index < rows.length; index = next++) {
        const row = from + index
        const wrong = plan.unreadable?.get(row)
        const one: CheckedRow = wrong
          ? { row, failure: failureOf(row, new Invalid(wrong)) }
          : await checkRow(records, actor, table, rows[index], row, found?.[index], prepare)
        checked[index] = withUnnamed(one, unnamed.get(index))
        await nextTurn()
      }
    }),
  )
  if (plan.isLegacy) await refuseUsedNumbers(records, actor, table, rows, checked, seen)
  await refuseMissingAndTaken(records, actor, table, plan, checked, seen, isDryRun)
  return checked
}

/** Says of references that name no record, or several, which they are. Such a row fails, for a text is no id. */
function withUnnamed(one: CheckedRow, errors: FieldErrors | undefined): CheckedRow {
  if (!errors) return one
  if ('target' in one) return { ...one, unnamed: errors }
  return 'failure' in one ? { ...one, failure: withErrors(one.failure, errors) } : one
}

async function checkRow(
  records: KeyedDependencies,
  actor: Actor,
  table: Table,
  body: unknown,
  row: number,
  found: Found | undefined,
  prepare: typeof prepareNewRecord,
): Promise<CheckedRow> {
  if (found?.is === 'failed') return { row, failure: found.failure }
  if (found?.is === 'target') return { row, target: found.target, body: body as Record<string, unknown> }
  try {
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw new Fault('validation_failed', 'The row must be an object.')
    inspectJson(body)
    const prepared = await prepare(records, actor, table, body as Record<string, unknown>)
    return { row, prepared, ...(found?.claim && { claim: found.claim }) }
  } catch (error) {
    return { row, failure: failureOf(row, error) }
  }
}

/** Prepares records of legacy data: who made them and when is theirs, and no hook runs. */
function openLegacy(records: KeyedDependencies, actor: Actor, table: Table): typeof prepareNewRecord {
  const originOf = openOrigins(records, actor)
  return async (_records, _actor, _table, body) => {
    requireNumbers(table, body)
    return prepareLegacyRecord(records, actor, table, body, await originOf(body))
  }
}

/** A number of the service is never used twice, also one that a legacy row brings. */
async function refuseUsedNumbers(
  records: KeyedDependencies,
  actor: Actor,
  table: Table,
  rows: readonly unknown[],
  checked: CheckedRow[],
  seen: SeenValues,
): Promise<void> {
  for (const field of table.table_fields) {
    const { name } = field
    if (!typeOfField(field).generate || table.uniqueFields.includes(name)) continue
    const given = checked.map((one) => ('prepared' in one ? one.prepared.data[name] : undefined))
    if (given.every((value) => value === undefined)) continue
    const plan = { mode: 'update', key: { name, is: 'any' }, isLegacy: true, repeated: new Map() } as const
    const found = await findByKey(records, actor, table, plan, rows, 0)
    for (const [index, value] of given.entries()) {
      if (value === undefined) continue
      const { row } = checked[index] as CheckedRow
      const mark = `${name}=${String(value)}`
      if (found[index]?.is === 'target' || (seen.get(mark) ?? row) < row) refuse(checked, index, takenErrors([name]))
      else seen.set(mark, row)
    }
  }
}

async function refuseMissingAndTaken(
  { store, ...services }: KeyedDependencies,
  actor: Actor,
  table: Table,
  { key: importKey }: ImportPlan,
  checked: CheckedRow[],
  seen: SeenValues,
  isDryRun: boolean,
): Promise<void> {
  const { tenant } = actor
  const prepared = checked.flatMap((one, index) =>
    'prepared' in one ? [{ index, row: one.row, isClaimed: one.claim !== undefined, ...one.prepared }] : [],
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
  const lostRows: (TakenValues & { readonly index: number })[] = []
  const stored = new Set(found.flatMap((item) => (item ? [String(item.pk)] : [])))
  for (const [position, { index, row, isClaimed, data }] of prepared.entries()) {
    const guards = wanted[position] ?? []
    // Who was faster with the key of an import is found by it when the row is stored: its claim is refused, or its guard.
    const isForStoring = (field: string): boolean => field === importKey?.name || (isClaimed && !isDryRun)
    const lost = guards.filter(
      ({ field, key }) => (stored.has(key.pk) && !isForStoring(field)) || (seen.get(key.pk) ?? row) < row,
    )
    const errors: FieldErrors = { ...takenErrors(lost.map(({ field }) => field)), ...missing[position] }
    if (Object.keys(errors).length > 0) lostRows.push({ index, data, errors })
    else for (const { key } of guards) seen.set(key.pk, row)
  }
  const explained = await explainTaken({ store, access: services.access }, actor, table, lostRows)
  for (const [at, { index, errors }] of lostRows.entries()) refuse(checked, index, explained[at] ?? errors)
}

function refuse(checked: CheckedRow[], index: number, errors: FieldErrors): void {
  const { row } = checked[index] as CheckedRow
  checked[index] = { row, failure: failureOf(row, new Invalid(errors)) }
}
