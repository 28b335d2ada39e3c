import type { TenantRef } from '../../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../../kernel/time/clock.ts'
import { type Config, putConfigRow } from '../../../platform/store/config.ts'
import { TransactionRefused } from '../../../platform/store/writes/refusals.ts'
import type { Field } from '../../../tables/tables/schema.ts'
import { readStoredTable, type StoredTable } from '../../../tables/tables/table.ts'

const maxTries = 10

/**
 * Marks everything derived from a table's records as complete in its configuration; `refused` fields become not unique
 * again. False when another job has replaced this one or the table was removed.
 */
export async function finishRebuild(
  { config, clock }: { config: Config; clock: Clock },
  tenant: TenantRef,
  model: string,
  jobId: number,
  refused: readonly string[],
): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    const row = await config.getFresh(tenant, 'TABLE', model)
    const doc = row && readStoredTable(row)
    if (!row || doc?.rebuilding?.job_id !== jobId) return false
    const next = { ...row, version: row.version + 1, doc: completed(doc, refused) }
    try {
      await config.change(tenant, [
        putConfigRow(tenant, 'TABLE', next, row.version, { userId: 0, at: isoTime(clock.now()) }),
      ])
      return true
    } catch (error) {
      // An administrator changed the table meanwhile: check again whether this job still applies.
      if (!(error instanceof TransactionRefused) || tries === maxTries) throw error
    }
  }
}

function completed(doc: StoredTable, refused: readonly string[]): StoredTable {
  const { rebuilding: _ended, becoming_unique: _became, ...rest } = doc
  const table_fields = doc.table_fields.map((field) => {
    if (!refused.includes(field.name)) return field
    // What told values apart only by case is gone with the uniqueness.
    const { unique: _refused, case_insensitive: _case, ...without } = field as Field & { case_insensitive?: boolean }
    return without as Field
  })
  return {
    ...rest,
    table_fields,
    unique_since: Object.fromEntries(
      Object.entries(doc.unique_since ?? {}).filter(
        ([stored]) => !refused.some((name) => (doc.stored_as?.[name] ?? name) === stored),
      ),
    ),
  }
}
