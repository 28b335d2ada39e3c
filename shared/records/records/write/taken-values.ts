import { own } from '../../../kernel/collections/own-members.ts'
import { type FieldErrors, Invalid } from '../../../kernel/failures/faults.ts'
import { say, sentenceOf } from '../../../kernel/failures/sentence.ts'
import { permittedFields } from '../../../kernel/permissions.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Actor } from '../actor.ts'
import type { RecordDependencies } from '../dependencies.ts'
import { idsOfHolder, mergedByValues, readableHolders } from '../read/merged-holders.ts'
import type { RecordData } from '../record-item.ts'

type Dependencies = Pick<RecordDependencies, 'store' | 'access'>

/** Errors of a record, and the values that they are about. */
export interface TakenValues {
  readonly data: RecordData
  readonly errors: FieldErrors
}

/**
 * The errors of some records, where those of taken values also say that a merged record has the value, and which one it is
 * part of; as far as whoever reads them may know. What finds and stores records by unique values does not meet merged ones.
 */
export async function explainTaken(
  { store, access }: Dependencies,
  actor: Actor,
  table: Table,
  records: readonly TakenValues[],
): Promise<FieldErrors[]> {
  const reader = actor.reader ?? actor
  const readable = permittedFields(reader, table.name, 'read')
  const taken = records.flatMap(({ data, errors }, index) =>
    table.uniqueFields
      .filter((field) => isTaken(errors, field) && readable?.has(field) !== false)
      .map((field) => ({ index, field, value: data[field] })),
  )
  const errorsOf = records.map(({ errors }) => ({ ...errors }))
  if (taken.length === 0) return errorsOf
  const holders = await mergedByValues(store, actor.tenant, table, taken)
  const found = holders.filter((holder) => holder !== undefined)
  const shown = new Set(await readableHolders(access, reader, table.name, found))
  for (const [at, { index, field }] of taken.entries()) {
    const holder = holders[at]
    if (!holder || !shown.has(holder)) continue
    const { id, into } = idsOfHolder(holder)
    Object.assign(errorsOf[index] as FieldErrors, {
      [field]: [say('taken_by_merged', { field, id, into })],
    })
  }
  return errorsOf
}

const isTaken = (errors: FieldErrors, field: string): boolean => {
  const [said] = own(errors, field) ?? []
  return said !== undefined && sentenceOf(said).code === 'taken'
}

/** The same for what a write of `data` threw; every other error is as it was. */
export async function explained(
  records: Dependencies,
  actor: Actor,
  table: Table,
  data: RecordData,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof Invalid) || !table.uniqueFields.some((field) => isTaken(error.problems, field))) return error
  const [errors = {}] = await explainTaken(records, actor, table, [{ data, errors: error.problems }])
  return error.withErrors(errors)
}
