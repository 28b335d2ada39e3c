import type { JobError } from '../../jobs/schema.ts'
import { defineJob, type JobKind, type JobRun, type JobStep } from '../../jobs/service.ts'
import type { Clock } from '../../kernel/clock.ts'
import { mayFail } from '../../kernel/log.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { indexRecords } from '../../search/service.ts'
import type { Config } from '../../store/config.ts'
import { recordPartition } from '../../store/keys/records.ts'
import { findRecount, resumeRecount } from '../../store/recount.ts'
import type { Store } from '../../store/store.ts'
import { RebuildInput, rebuildKind, type Tables, type Table } from '../../tables/service.ts'
import { alignRecord, type Duplicate } from './align-record.ts'
import { dropCounters } from './drop-counters.ts'
import { finishRebuild } from './finish-rebuild.ts'

export interface RebuildDependencies {
  readonly store: Store
  readonly config: Config
  readonly tables: Tables
  readonly clock: Clock
  /** How long a write may still be in flight that follows the previous configuration (docs/decisions/0014). */
  readonly settleMs: number
}

/** The progress of a rebuild, stored in the job's row. */
interface RebuildState {
  /** From this time (Unix milliseconds) every write follows the new configuration. */
  readonly settledAt: number
  /** The recount in flight when the rebuild began. */
  readonly recount?: string
  /** The sort key of the last record rebuilt. */
  readonly after: string | null
  /** Fields that cannot become unique. */
  readonly refused: readonly string[]
}

const batchRecords = 250
const parallelRecords = 16
const maxErrors = 1_000

/**
 * Applies a table's configuration to its records, oldest first, while writes continue. It waits until no write follows
 * the previous configuration, so each record is rebuilt only once. Readers use the indexes when all of them are
 * complete. A change of the table that needs another rebuild replaces this job.
 */
export const rebuildJob = (deps: RebuildDependencies): JobKind =>
  defineJob<typeof RebuildInput, RebuildState>(
    rebuildKind,
    RebuildInput,
    async ({ id, tenant, isRepeat, timeIsUp }, { model }, saved) => {
      const { store, clock, tables } = deps
      const state = saved ?? {
        recount: await findRecount(store, tenant, model),
        settledAt: clock.now() + deps.settleMs,
        after: null,
        refused: [],
      }
      const table = await tables.find(tenant, model)
      if (!table || table.rebuilding?.job_id !== id) return { ended: 'done', result: { superseded: true } }
      if (clock.now() < state.settledAt) return { state, pauseMs: state.settledAt - clock.now() }
      if (state.recount && (await resumeRecount(store, tenant, model, state.recount, timeIsUp)) === 'time is up')
        return { state }
      return rebuildPage(deps, tenant, table, { id, isRepeat }, state)
    },
  )

async function rebuildPage(
  deps: RebuildDependencies,
  tenant: Tenant,
  table: Table,
  { id: jobId, isRepeat }: Pick<JobRun, 'id' | 'isRepeat'>,
  state: RebuildState,
): Promise<JobStep<RebuildState>> {
  const { store } = deps
  const pk = recordPartition(tenant, table.name)
  const { items, last } = await store.query(tenant, {
    pk,
    limit: batchRecords,
    after: state.after === null ? undefined : { pk, sk: state.after },
  })
  const duplicates: Duplicate[] = []
  for (let start = 0; start < items.length; start += parallelRecords) {
    const found = await Promise.all(
      items.slice(start, start + parallelRecords).map((item) => alignRecord(deps, tenant, table, item)),
    )
    duplicates.push(...found.flat())
  }
  const failures = await indexRecords(
    deps,
    tenant,
    items.map(({ sk, version }) => ({ model: table.name, id: Number(sk), version: Number(version), again: isRepeat })),
  )
  for (const cause of failures.values()) throw cause
  const refused = [...new Set([...state.refused, ...duplicates.map(({ field }) => field)])]
  const progress = { worked: items.length, errors: duplicates.slice(0, maxErrors).map(describe) }
  if (last) return { ...progress, state: { ...state, after: last.sk as string, refused } }
  if (!(await finishRebuild(deps, tenant, table.name, jobId, refused)))
    return { ...progress, ended: 'done', result: { superseded: true } }
  await mayFail('drop the counters of replaced generations', () =>
    dropCounters(store, tenant, table, table.search_index.replaced ?? []),
  )
  return {
    ...progress,
    ended: refused.length > 0 ? 'failed' : 'done',
    result: refused.length > 0 ? { not_unique: refused } : null,
  }
}

const describe = ({ field, value, id, holder }: Duplicate): JobError => ({
  message: `Records ${holder} and ${id} have the same ${field}.`,
  field,
  value: typeof value === 'string' ? value.slice(0, 200) : value,
  ids: [holder, id],
})
