import { Conflict } from '../../../kernel/failures/faults.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../../kernel/time/clock.ts'
import type { Jobs } from '../../../platform/jobs/service.ts'
import { type Config, putConfigRow } from '../../../platform/store/config.ts'
import { beginRecount } from '../../../platform/store/sequence/recount.ts'
import { readSequence } from '../../../platform/store/sequence/sequence.ts'
import type { Store } from '../../../platform/store/store.ts'
import { RebuildInput, rebuildKind } from '../../../tables/tables/plan-rebuild.ts'
import { systemTable } from '../../../tables/tables/system-tables.ts'
import { readStoredTable, type StoredTable } from '../../../tables/tables/table.ts'

export interface ReindexDependencies {
  readonly store: Store
  readonly config: Config
  readonly clock: Clock
  readonly jobs: Pick<Jobs, 'prepare'>
}

const operator = { userId: 0, roles: [], isAdministrator: true }

/**
 * Starts a rebuild of a table that makes its column index anew from the records and recounts them. Lists use the old
 * index until each part of the new one is complete. Answers the id of the job, which the sweeper wakes within a minute;
 * undefined when there is nothing to do.
 */
export async function reindexTable(
  { store, config, clock, jobs }: ReindexDependencies,
  tenant: TenantRef,
  model: string,
): Promise<number | undefined> {
  const stored = await config.getFresh(tenant, 'TABLE', model)
  const row = stored ?? systemTable(model)
  if (!row) return undefined
  const version = row.version + 1
  const { live } = await readSequence(store, tenant, model)
  // An unused built-in table has no row yet and needs none.
  if (!stored && live === 0) return undefined
  const job = await jobs.prepare(tenant, operator, rebuildKind, { model } satisfies RebuildInput, {
    total: live,
    dueAfterMs: 0,
  })
  const before = readStoredTable(row)
  const doc: StoredTable = {
    ...before,
    rebuilding: { job_id: job.id, columns: true, ...(before.rebuilding?.derived && { derived: true }) },
  }
  const write = putConfigRow(tenant, 'TABLE', { ...row, version, doc }, stored ? row.version : null, {
    userId: operator.userId,
    at: isoTime(clock.now()),
  })
  await config.change(
    tenant,
    [write, job.write, beginRecount(tenant, model, clock.uuid())],
    () => new Conflict('write_conflict', `The table ${model} was changed at the same time. Try again.`),
  )
  return job.id
}
