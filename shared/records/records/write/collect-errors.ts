import { type FieldErrors, Invalid } from '../../../kernel/failures/faults.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Actor } from '../actor.ts'
import type { RecordDependencies } from '../dependencies.ts'
import type { RecordData, StoredRecord } from '../record-item.ts'
import { changedFields, validFields } from './check-fields.ts'
import { checkReferences } from './check-references.ts'
import { explainTaken } from './taken-values.ts'
import { findTaken } from './unique-guards.ts'

/**
 * Runs a check of a request body. When it throws Invalid, adds the other errors of the body: references and files that
 * do not exist, and unique values that are taken (contract §3). A valid body pays for none of these reads.
 */
export async function collectErrors<T>(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  { body, before }: { readonly body: RecordData; readonly before?: StoredRecord },
  check: () => T | Promise<T>,
): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof Invalid) || Object.keys(error.problems).length === 0) throw error
    const sent = validFields(table, body, before?.data)
    throw new Invalid({
      ...(await findFurtherErrors(records, actor, table, before, sent, error.problems)),
      ...error.problems,
    })
  }
}

async function findFurtherErrors(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  before: StoredRecord | undefined,
  sent: RecordData,
  named: FieldErrors,
): Promise<FieldErrors> {
  const open = changedFields(before?.data ?? {}, sent).filter((name) => !Object.hasOwn(named, name))
  const after = { ...before?.data, ...Object.fromEntries(open.map((name) => [name, sent[name]])) }
  const [missing, taken] = await Promise.all([
    checkReferences(records, actor.tenant, table, sent, open, actor),
    findTaken(records.store, actor.tenant, table, before?.id ?? 0, before?.data, after),
  ])
  const [explainedTaken = {}] = await explainTaken(records, actor, table, [{ data: after, errors: taken }])
  return { ...explainedTaken, ...missing }
}
