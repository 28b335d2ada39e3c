import * as z from 'zod'
import { byName, own } from '../../../kernel/collections/own-members.ts'
import { log } from '../../../kernel/runtime/log.ts'
import { measure } from '../../../kernel/runtime/metrics.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { defineJob, type JobKind, type JobStep } from '../../../platform/jobs/define-job.ts'
import type { JobError } from '../../../platform/jobs/schema.ts'
import { sequenceKey } from '../../../platform/store/keys/records.ts'
import { readRecordWrite } from '../../../platform/store/rows/record-row.ts'
import { joinRecount, resumeRecount } from '../../../platform/store/sequence/recount.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { Tables } from '../../../tables/tables/read-tables.ts'
import { changedRecords, lastImages, type Span } from './changed-records.ts'
import { type CheckedSaid, countText, neverUsed, readCheckpoint, sequenceText, writeCheckpoint } from './checkpoint.ts'
import { type ColumnRepairDependencies, repairColumns } from './repair-columns.ts'
import { type HistoryRepairDependencies, repairHistory } from './repair-history.ts'
import { type ReferenceRepairDependencies, repairReferences } from './repair-references.ts'
import { repairRollups, type RollupRepairDependencies } from './repair-rollups.ts'
import { nothingChecked, repairSaid } from './repair-said.ts'

export const repairKind = 'repair'
export const RepairInput = z.object({ since: z.string(), until: z.string() })

export interface RepairDependencies {
  readonly store: Store
  readonly tables: Tables
  readonly clock: Clock
  readonly objects: HistoryRepairDependencies['objects']
  readonly columns: ColumnRepairDependencies
  readonly rollups: RollupRepairDependencies
  readonly references: ReferenceRepairDependencies
  /** How long a request may run: after it, no create is in flight that began before a recount. */
  readonly settleMs: number
}

interface Repaired {
  readonly history: number
  readonly live: number
  readonly columns: number
  /** Only when there were any. */
  readonly references?: number
  readonly said?: number
}

/** The progress of a repair, stored in the job's row: first the changed records of each table, then all counts. */
interface RepairState {
  readonly models: readonly string[]
  /** Where the next page of the first table's changes begins. */
  readonly from?: string
  readonly mended: Repaired
  /** Up to where what was said was checked, until all of it is. */
  readonly said?: CheckedSaid
  readonly isSaidChecked?: true
  /** The recounts in flight. */
  readonly recounts?: readonly { readonly model: string; readonly run: string }[]
  /** The recounts may resume from this time (Unix milliseconds). */
  readonly settledAt?: number
  readonly counted?: Readonly<Record<string, string>>
}

const batchRecords = 200
const parallelRecords = 16

/**
 * Checks the records that changed within a span and repairs what is wrong: every version needs its history entry, and
 * the column index must have the latest one, their references must not point at what is gone, and rollups that they
 * touch are evaluated again. Comments and messages that the index of what was said lacks are taken in. Then it recounts the living records of every table. Each repair is logged and measured, because
 * none should be necessary.
 */
export const repairJob = (services: RepairDependencies): JobKind =>
  defineJob<typeof RepairInput, RepairState>(repairKind, RepairInput, async ({ tenant, timeIsUp }, span, saved) => {
    let state: RepairState = saved ?? {
      models: (await services.tables.all(tenant)).map(({ name }) => name),
      mended: { history: 0, live: 0, columns: 0 },
    }
    let worked = 0
    const errors: JobError[] = []
    while (state.models.length > 0) {
      if (timeIsUp()) return { state, worked, errors }
      const page = await repairPage(services, tenant, state, span)
      state = page.state
      worked += page.worked
      errors.push(...page.errors)
    }
    while (!state.isSaidChecked) {
      if (timeIsUp()) return { state, worked, errors }
      const known = state.said ?? (await readCheckpoint(services.store, tenant))?.said ?? nothingChecked
      const { queued, checked, isDone } = await repairSaid(services, tenant, known)
      const mended = queued > 0 ? add(state.mended, { said: queued }) : state.mended
      state = { ...state, mended, said: checked, ...(isDone && { isSaidChecked: true as const }) }
    }
    if (!state.recounts) {
      state = {
        ...state,
        ...(await beginRecounts(services, tenant)),
        settledAt: services.clock.now() + services.settleMs,
      }
      if (state.recounts?.length) return { state, worked, errors, pauseMs: services.settleMs }
    }
    return { ...(await countTables(services, tenant, state, span, timeIsUp)), worked, errors }
  })

async function repairPage(
  services: RepairDependencies,
  tenant: Tenant,
  state: RepairState,
  span: Span,
): Promise<{ state: RepairState; worked: number; errors: readonly JobError[] }> {
  const [model = '', ...others] = state.models
  const { changes, next } = await changedRecords(services.store, tenant, model, span, batchRecords, state.from)
  const records = await lastImages(services.store, tenant, model, changes, span)
  const errors: JobError[] = []
  let history = 0
  for (let start = 0; start < records.length; start += parallelRecords) {
    const outcomes = await Promise.all(
      records.slice(start, start + parallelRecords).map((item) => repairOne(services, tenant, item, span)),
    )
    for (const outcome of outcomes) {
      if (typeof outcome === 'number') history += outcome
      else errors.push(outcome)
    }
  }
  const stale = await repairColumns(services.columns, tenant, model, records)
  if (stale.length > 0)
    log.warn('queued records for the column index again', { tenant_id: tenant.id, model, ids: stale })
  const table = await tableOf(services, tenant, model)
  const { references, errors: told } = await repairReferences(services.references, tenant, table, records)
  errors.push(...told)
  await repairRollups(services.rollups, tenant, table, records, span)
  const mended = add(state.mended, { history, columns: stale.length, ...(references > 0 && { references }) })
  const progress = next === undefined ? { from: undefined, models: others } : { from: next }
  return { state: { ...state, mended, ...progress }, worked: records.length, errors }
}

const tableOf = async ({ tables }: RepairDependencies, tenant: Tenant, model: string) =>
  (await tables.all(tenant)).find(({ name }) => name === model)

/** How many entries were missing, or an error: a record that cannot be checked does not stop the repair of others. */
async function repairOne(
  services: RepairDependencies,
  tenant: Tenant,
  item: Item,
  { since }: Span,
): Promise<number | JobError> {
  const { model, id } = readRecordWrite(item)
  const which = { model, id }
  try {
    const versions = await repairHistory(services, tenant, item, since)
    if (versions.length > 0) log.warn('wrote missing history entries', { tenant_id: tenant.id, ...which, versions })
    return versions.length
  } catch (error) {
    log.error('could not check the history of a record', error, { tenant_id: tenant.id, ...which })
    return { message: 'The history of this record could not be checked.', ...which }
  }
}

/** Begins a recount of every table that changed since its count was last correct. */
async function beginRecounts(
  { store, tables, clock }: RepairDependencies,
  tenant: Tenant,
): Promise<Pick<RepairState, 'recounts' | 'counted'>> {
  const counted: Record<string, string> = byName()
  const recounts: { model: string; run: string }[] = []
  const known = (await readCheckpoint(store, tenant))?.counted ?? {}
  const models = (await tables.all(tenant)).map(({ name }) => name)
  const sequences = await store.getMany(
    tenant,
    models.map((model) => sequenceKey(tenant, model)),
  )
  for (const [index, model] of models.entries()) {
    const current = sequenceText(sequences[index])
    if (current === (own(known, model) ?? neverUsed)) counted[model] = current
    else recounts.push({ model, run: await joinRecount(store, tenant, model, clock.uuid()) })
  }
  return { recounts, counted }
}

/** Resumes the recounts while time allows; after the last one the repair is done. */
async function countTables(
  services: RepairDependencies,
  tenant: Tenant,
  state: RepairState,
  { until }: Span,
  timeIsUp: () => boolean,
): Promise<JobStep<RepairState>> {
  const pauseMs = (state.settledAt ?? 0) - services.clock.now()
  if (state.recounts?.length && pauseMs > 0) return { state, pauseMs }
  const counted = Object.assign(byName<string>(), state.counted)
  let { mended } = state
  let recounts = state.recounts ?? []
  for (; recounts[0]; recounts = recounts.slice(1)) {
    const [{ model, run }] = recounts
    const found = timeIsUp() ? 'time is up' : await resumeRecount(services.store, tenant, model, run, timeIsUp)
    if (found === 'time is up') return { state: { ...state, mended, counted, recounts } }
    // Whoever ended or replaced this recount corrects the count; the next night checks it.
    if (found === 'in other hands') continue
    counted[model] = countText(found.to, found.is)
    if (found.was === found.is) continue
    log.warn('corrected the number of records', { tenant_id: tenant.id, model, was: found.was, is: found.is })
    mended = add(mended, { live: 1 })
  }
  const { said } = state
  await writeCheckpoint(services.store, tenant, { until, counted, ...(said && { said }) })
  return { ended: 'done', result: mended }
}

function add(mended: Repaired, more: Partial<Repaired>): Repaired {
  const sum = { ...mended }
  for (const [kind, count = 0] of Object.entries(more) as [keyof Repaired, number | undefined][]) {
    sum[kind] = (sum[kind] ?? 0) + count
    if (count > 0) measure('Repaired', count, { kind })
  }
  return sum
}
