import { maxRebuildErrors } from '../../../kernel/limits/imports.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { chunkIds, chunkOf } from '../../../lists/columns/chunk.ts'
import type { TellUnreadable } from '../../../lists/columns/row-of-record.ts'
import { defineJob, type JobKind, type JobStep } from '../../../platform/jobs/define-job.ts'
import type { JobError } from '../../../platform/jobs/schema.ts'
import type { Config } from '../../../platform/store/config.ts'
import { readRecordRange } from '../../../platform/store/ranges/record-range.ts'
import { findRecount, resumeRecount } from '../../../platform/store/sequence/recount.ts'
import { readSequence } from '../../../platform/store/sequence/sequence.ts'
import type { Store } from '../../../platform/store/store.ts'
import { typeOfField } from '../../../tables/field-types/read-field.ts'
import { RebuildInput, rebuildKind } from '../../../tables/tables/plan-rebuild.ts'
import type { Tables } from '../../../tables/tables/read-tables.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { finishRebuild } from './finish-rebuild.ts'
import { type Duplicate, guardRecord } from './guard-record.ts'

export interface RebuildDependencies {
  readonly store: Store
  readonly config: Config
  readonly tables: Tables
  readonly clock: Clock
  /**
   * Makes the column index of one chunk of ids anew from its records. `tell` hears of each record that is unreadable and
   * left out. False when it has to be called again later.
   */
  readonly rebuildChunk: (tenant: Tenant, table: Table, chunk: number, tell: TellUnreadable) => Promise<boolean>
  /** Makes the derived values of the records with these ids anew. `tell` hears of each record that is unreadable. */
  readonly deriveValues: (tenant: Tenant, table: Table, ids: IdRange, tell: TellUnreadable) => Promise<void>
  /** How long a write may still be in flight that follows the previous configuration (docs/decisions/0014). */
  readonly settleMs: number
}

export interface IdRange {
  readonly from: number
  readonly to: number
}

/** The progress of a rebuild, stored in the job's row. */
interface RebuildState {
  /** From this time (Unix milliseconds) every write follows the new configuration. */
  readonly settledAt: number
  /** The recount in flight when the rebuild began. */
  readonly recount?: string
  /** The last id allocated once writes followed the new configuration: later records need no rebuild. */
  readonly last?: number
  /** The last id that was rebuilt. */
  readonly upto: number
  /** The last id that got what follows from ids before the writes were settled. */
  readonly numbered?: number | undefined
  /** Fields that cannot become unique. */
  readonly refused: readonly string[]
}

/** When a chunk could not be rebuilt because its columns were being folded. */
const foldingPauseMs = 2_000
/** Ids whose records are guarded in one step. */
const guardedIds = 256
const parallelRecords = 16

/**
 * Applies a table's configuration to its records, oldest first, while writes continue: the guards of fields that are
 * becoming unique, derived values, and the column index where that is made anew. It waits until no write follows the previous
 * configuration, so each record is rebuilt only once. A change of the table that needs another rebuild replaces this
 * job.
 */
export const rebuildJob = (services: RebuildDependencies): JobKind =>
  defineJob<typeof RebuildInput, RebuildState>(
    rebuildKind,
    RebuildInput,
    async ({ id, tenant, timeIsUp }, { model }, saved) => {
      const { store, clock, tables } = services
      const state = saved ?? {
        recount: await findRecount(store, tenant, model),
        settledAt: clock.now() + services.settleMs,
        upto: 0,
        refused: [],
      }
      const table = await tables.find(tenant, model)
      if (!table || table.rebuilding?.job_id !== id) return { ended: 'done', result: { superseded: true } }
      if (clock.now() < state.settledAt) {
        const numbered = await numberEarly(services, tenant, table, state)
        return numbered === state.numbered
          ? { state, pauseMs: state.settledAt - clock.now() }
          : { state: { ...state, numbered } }
      }
      if (state.recount && (await resumeRecount(store, tenant, model, state.recount, timeIsUp)) === 'time is up')
        return { state }
      const { last = (await readSequence(store, tenant, model)).last } = state
      return rebuildNext(services, tenant, table, id, { ...state, last })
    },
    {
      // Some values have guards and others have none: the fields are not unique, and a later change may try again.
      async giveUp({ id, tenant }, { model }) {
        const table = await services.tables.find(tenant, model)
        const not_unique = table?.becoming_unique ?? []
        return (await finishRebuild(services, tenant, model, id, not_unique)) ? { not_unique } : { superseded: true }
      },
    },
  )

/**
 * Gives the next records the values that follow from their ids, which nobody has to wait for. The rebuild looks at all
 * records again. Answers the last id.
 */
async function numberEarly(
  services: RebuildDependencies,
  tenant: Tenant,
  table: Table,
  { numbered }: RebuildState,
): Promise<number | undefined> {
  const generates = table.table_fields.some((field) => typeOfField(field).generate)
  if (!table.rebuilding?.derived || !generates) return numbered
  const { last } = await readSequence(services.store, tenant, table.name)
  const from = (numbered ?? 0) + 1
  if (from > last) return numbered
  const to = Math.min(from + guardedIds - 1, last)
  await services.deriveValues(tenant, table, { from, to }, () => {})
  return to
}

/** Rebuilds the next ids, which lie in one chunk. Progress is counted in ids. A record that fails is left out. */
async function rebuildNext(
  services: RebuildDependencies,
  tenant: Tenant,
  table: Table,
  jobId: number,
  state: RebuildState & { readonly last: number },
): Promise<JobStep<RebuildState>> {
  const { last } = state
  const from = state.upto + 1
  const chunk = chunkOf(from)
  const startsChunk = from === 1 || chunk !== chunkOf(state.upto)
  const unreadable: JobError[] = []
  const tell: TellUnreadable = (id, cause) => unreadable.push(describeUnreadable(id, cause))
  const needsColumns = table.rebuilding?.columns && startsChunk && from <= last
  if (needsColumns && !(await services.rebuildChunk(tenant, table, chunk, tell)))
    return { state, pauseMs: foldingPauseMs }
  const endOfChunk = Math.min((chunk + 1) * chunkIds - 1, last)
  const guards = (table.becoming_unique ?? []).length > 0
  const derived = table.rebuilding?.derived === true
  const upto = guards || derived ? Math.min(state.upto + guardedIds, endOfChunk) : endOfChunk
  // Where the columns are made anew, they have told it.
  const tellOnce: TellUnreadable = table.rebuilding?.columns ? () => {} : tell
  if (derived && from <= last) await services.deriveValues(tenant, table, { from, to: upto }, tellOnce)
  const duplicates = guards ? await guardRecords(services, tenant, table, { from, to: upto }, tellOnce) : []
  const refused = [...new Set([...state.refused, ...duplicates.map(({ field }) => field)])]
  const progress = {
    done: upto,
    total: last,
    errors: [...unreadable, ...duplicates.map(describe)].slice(0, maxRebuildErrors),
  }
  if (upto < last) return { ...progress, state: { ...state, upto, refused } }
  if (!(await finishRebuild(services, tenant, table.name, jobId, refused)))
    return { ...progress, ended: 'done', result: { superseded: true } }
  return {
    ...progress,
    ended: refused.length > 0 ? 'failed' : 'done',
    result: refused.length > 0 ? { not_unique: refused } : null,
  }
}

async function guardRecords(
  services: RebuildDependencies,
  tenant: Tenant,
  table: Table,
  ids: IdRange,
  tell: TellUnreadable,
): Promise<Duplicate[]> {
  const items = await readRecordRange(services.store, tenant, { model: table.name, ...ids, livingOnly: true })
  const duplicates: Duplicate[] = []
  for (let start = 0; start < items.length; start += parallelRecords) {
    const some = items.slice(start, start + parallelRecords)
    const found = await Promise.all(some.map((item) => guardRecord(services, tenant, table, item, tell)))
    duplicates.push(...found.flat())
  }
  return duplicates
}

const describeUnreadable = (id: number, cause: unknown): JobError => ({
  message: `Record ${id} cannot be read and was left out: ${cause instanceof Error ? cause.message : String(cause)}`,
  id,
})

const describe = ({ field, value, id, holder }: Duplicate): JobError => ({
  message: `Records ${holder} and ${id} have the same ${field}.`,
  field,
  value: typeof value === 'string' ? value.slice(0, 200) : value,
  ids: [holder, id],
})
