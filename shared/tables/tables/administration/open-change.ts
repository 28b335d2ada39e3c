import { requireCurrentVersion, type VersionMatch } from '../../../kernel/failures/concurrent-change.ts'
import { Conflict, Invalid, NotFound } from '../../../kernel/failures/faults.ts'
import { publicTable } from '../../../kernel/table-names.ts'
import type { Tenant, TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { Config } from '../../../platform/store/config.ts'
import { hasRecords } from '../../../platform/store/ranges/record-range.ts'
import { readSequence } from '../../../platform/store/sequence/sequence.ts'
import type { Store } from '../../../platform/store/store.ts'
import { withResults } from '../checks/check-rollups.ts'
import { applyRenames, withRenames } from '../renames/apply-renames.ts'
import { checkTableName } from '../renames/rename-table.ts'
import type { TableChange } from '../schema.ts'
import { allSystemTables, systemTable } from '../system-tables.ts'
import { readTable, type Table } from '../table.ts'

interface OpeningDependencies {
  readonly config: Config
  readonly clock: Pick<Clock, 'now'>
}

/**
 * What a change of a table starts from and makes of it, before it is checked. Throws NotFound, Invalid for its new name or
 * for renames of fields, Conflict when `document.version` is stale, or PreconditionFailed when `ifMatch` is.
 */
export async function openChange(
  { config, clock }: OpeningDependencies,
  tenant: Tenant,
  name: string,
  document: TableChange,
  ifMatch?: VersionMatch,
) {
  const stored = await config.getFresh(tenant, 'TABLE', name)
  const row = stored ?? systemTable(name)
  if (!row) throw new NotFound('table', { model: name })
  const was = readTable(row)
  // The contract answers 409 here, where `If-Match` is 412 as everywhere.
  if (document.version !== undefined && document.version !== was.version)
    throw new Conflict('stale_version', `The table has changed: its version is ${was.version}.`)
  requireCurrentVersion('table', was, { ifMatch })
  const tables = await freshTables(config, tenant)
  /** Under which a table of the new name would be stored. */
  const renamedTo = document.name === name ? undefined : document.name
  if (renamedTo !== undefined)
    await checkTableName(config, tenant, { stored: name, next: renamedTo, tables, nowMs: clock.now() })
  const { before, renames, formerNames, errors, given } = await applyRenames(was, row, document)
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
  const input = { ...document, ...given }
  const others = withRenames(was, renames, tables)
  const next = {
    ...input,
    name,
    // A document without `table_fields` or `automations` keeps them. A field missing from a given list is retired.
    table_fields: withResults({ name, table_fields: input.table_fields ?? before.table_fields }, others),
    automations: input.automations ?? [...before.automations],
  }
  const called = publicTable(tenant, name)
  const nextName = renamedTo === undefined ? called : publicTable(tenant, renamedTo)
  return {
    isStored: stored !== undefined,
    row,
    was,
    tables,
    called,
    renamedTo,
    nextName,
    before,
    renames,
    formerNames,
    input,
    others,
    next,
  }
}

type Fresh = Pick<Config, 'listFresh'>

/** The names of the roles, past the cache. */
export const roleNames = async (config: Fresh, tenant: TenantRef): Promise<readonly string[]> =>
  (await config.listFresh(tenant, 'ROLE')).map(({ name }) => name)

/** Every table, built-in ones included, past the cache. */
export async function freshTables(config: Fresh, tenant: TenantRef): Promise<readonly Table[]> {
  const rows = [...allSystemTables(), ...(await config.listFresh(tenant, 'TABLE'))]
  return [...new Map(rows.map((row) => [row.name, row])).values()].map(readTable)
}

/** Whether a table has neither living records nor rows of unfinished deletes, and whether it never had any. */
export async function recordsOf(
  store: Store,
  tenant: TenantRef,
  name: string,
): Promise<{ readonly isEmpty: boolean; readonly isFresh: boolean }> {
  const { live, last } = await readSequence(store, tenant, name)
  return { isEmpty: live === 0 && !(await hasRecords(store, tenant, name, last)), isFresh: last === 0 }
}
