import * as z from 'zod'
import type { JobError } from '../../jobs/schema.ts'
import { defineJob, type JobKind, type JobStep } from '../../jobs/service.ts'
import type { Clock } from '../../kernel/clock.ts'
import { log } from '../../kernel/log.ts'
import { measure } from '../../kernel/metrics.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { sequenceKey } from '../../store/keys/records.ts'
import type { Item } from '../../store/marshal.ts'
import { resumeRecount, joinRecount } from '../../store/recount.ts'
import { isLiving, readRecordHead, readRecordWrite } from '../../store/rows/record-row.ts'
import type { Store } from '../../store/table.ts'
import type { Tables } from '../../tables/service.ts'
import { changedRecords, lastImage, type Life, type Span } from './changed-records.ts'
import { countText, readCheckpoint, sequenceText, untouched, writeCheckpoint } from './checkpoint.ts'
import { repairHistory, type HistoryRepairDependencies } from './repair-history.ts'
import { repairSearch, type SearchRepairDependencies } from './repair-search.ts'

export const repairKind = 'repair'
export const RepairInput = z.object({ since: z.string(), until: z.string() })

export interface RepairDependencies {
  readonly store: Store
  readonly tables: Tables
  readonly clock: Clock
  readonly objects: HistoryRepairDependencies['objects']
  readonly send: SearchRepairDependencies['send']
  readonly searchQueueUrl: string
  /** As long as a request may live: no create that was under way when a recount began is any more. */
  readonly settleMs: number
}

interface Repaired {
  readonly history: number
  readonly live: number
  readonly search: number
}

/** Where a repair stands: first the changed records of each table, then the counts of all. */
interface RepairState {
  readonly models: readonly string[]
  /** Which records of the first table are looked at. */
  readonly life: Life
  readonly after?: Readonly<Record<string, string>>
  readonly mended: Repaired
  /** Tables that are being counted anew. */
  readonly recounts?: readonly { readonly model: string; readonly run: string }[]
  /** Not before this moment may they be counted. */
  readonly settledAt?: number
  readonly counted?: Readonly<Record<string, string>>
}

const recordsAtOnce = 200
const sideBySide = 16

/**
 * Looks through what changed within a span, as the store has it: every version must have its entry in history, and search
 * must have heard of the latest; then counts the living records of every table. Mends what is not so. Each mend is logged
 * and measured, for there should be none.
 */
export const repairJob = (deps: RepairDependencies): JobKind =>
  defineJob<typeof RepairInput, RepairState>(repairKind, RepairInput, async ({ tenant, timeIsUp }, span, saved) => {
    let state: RepairState = saved ?? {
      life: 'living',
      models: (await deps.tables.all(tenant)).map(({ name }) => name),
      mended: { history: 0, live: 0, search: 0 },
    }
    let worked = 0
    const errors: JobError[] = []
    while (state.models.length > 0) {
      if (timeIsUp()) return { state, worked, errors }
      const page = await repairPage(deps, tenant, state, span)
      state = page.state
      worked += page.worked
      errors.push(...page.errors)
    }
    if (!state.recounts) {
      state = { ...state, ...(await beginRecounts(deps, tenant)), settledAt: deps.clock.now() + deps.settleMs }
      if (state.recounts?.length) return { state, worked, errors, pauseMs: deps.settleMs }
    }
    return { ...(await countTables(deps, tenant, state, span, timeIsUp)), worked, errors }
  })

async function repairPage(
  deps: RepairDependencies,
  tenant: Tenant,
  state: RepairState,
  span: Span,
): Promise<{ state: RepairState; worked: number; errors: readonly JobError[] }> {
  const [model = '', ...others] = state.models
  const { life } = state
  const { keys, last } = await changedRecords(deps.store, tenant, model, life, span, recordsAtOnce, state.after)
  const found = (await deps.store.getMany(tenant, keys)).filter((item): item is Item => item !== undefined)
  // What changed since then is the next night's.
  const records =
    life === 'gone'
      ? found.map((item) => lastImage(tenant, model, item))
      : found.filter((item) => isLiving(item) && readRecordHead(item).updated_at < span.until)
  const errors: JobError[] = []
  let history = 0
  for (let start = 0; start < records.length; start += sideBySide) {
    const outcomes = await Promise.all(
      records.slice(start, start + sideBySide).map((item) => repairOne(deps, tenant, item, span)),
    )
    for (const outcome of outcomes) {
      if (typeof outcome === 'number') history += outcome
      else errors.push(outcome)
    }
  }
  const behind = await repairSearch(deps, tenant, model, records)
  if (behind.length > 0)
    log.warn('told search of changes it had not heard of', { tenant_id: tenant.id, model, ids: behind })
  const mended = add(state.mended, { history, search: behind.length })
  const next = last
    ? { after: last }
    : {
        after: undefined,
        ...(life === 'living' ? { life: 'gone' as const } : { life: 'living' as const, models: others }),
      }
  return { state: { ...state, mended, ...next }, worked: records.length, errors }
}

/** How many entries were missing, or why that could not be found out: one record that cannot be read keeps nobody from the others. */
async function repairOne(
  deps: RepairDependencies,
  tenant: Tenant,
  item: Item,
  { since }: Span,
): Promise<number | JobError> {
  const { model, id } = readRecordWrite(item)
  const which = { model, id }
  try {
    const versions = await repairHistory(deps, tenant, item, since)
    if (versions.length > 0) log.warn('wrote history that was missing', { tenant_id: tenant.id, ...which, versions })
    return versions.length
  } catch (error) {
    log.error('could not check the history of a record', error, { tenant_id: tenant.id, ...which })
    return { message: 'The history of this record could not be checked.', ...which }
  }
}

/** Begins to count the records of every table that changed since its count was last found right. */
async function beginRecounts(
  { store, tables, clock }: RepairDependencies,
  tenant: Tenant,
): Promise<Pick<RepairState, 'recounts' | 'counted'>> {
  const counted: Record<string, string> = {}
  const recounts: { model: string; run: string }[] = []
  const known = (await readCheckpoint(store, tenant))?.counted ?? {}
  const models = (await tables.all(tenant)).map(({ name }) => name)
  const sequences = await store.getMany(
    tenant,
    models.map((model) => sequenceKey(tenant, model)),
  )
  for (const [index, model] of models.entries()) {
    const current = sequenceText(sequences[index])
    if (current === (known[model] ?? untouched)) counted[model] = current
    else recounts.push({ model, run: await joinRecount(store, tenant, model, clock.uuid()) })
  }
  return { recounts, counted }
}

/** Ends the recounts that were begun, as far as the time goes; after the last one the repair is done. */
async function countTables(
  deps: RepairDependencies,
  tenant: Tenant,
  state: RepairState,
  { until }: Span,
  timeIsUp: () => boolean,
): Promise<JobStep<RepairState>> {
  const pauseMs = (state.settledAt ?? 0) - deps.clock.now()
  if (state.recounts?.length && pauseMs > 0) return { state, pauseMs }
  const counted: Record<string, string> = { ...state.counted }
  let { mended } = state
  let recounts = state.recounts ?? []
  for (; recounts[0]; recounts = recounts.slice(1)) {
    const [{ model, run }] = recounts
    const found = timeIsUp() ? 'time is up' : await resumeRecount(deps.store, tenant, model, run, timeIsUp)
    if (found === 'time is up') return { state: { ...state, mended, counted, recounts } }
    // Who else ended it, or began another one, has set it right; the next night looks again.
    if (found === 'in other hands') continue
    counted[model] = countText(found.to, found.is)
    if (found.was === found.is) continue
    log.warn('set the number of records right', { tenant_id: tenant.id, model, was: found.was, is: found.is })
    mended = add(mended, { live: 1 })
  }
  await writeCheckpoint(deps.store, tenant, { until, counted })
  return { ended: 'done', result: mended }
}

function add(mended: Repaired, more: Partial<Repaired>): Repaired {
  const sum = { ...mended }
  for (const [kind, count = 0] of Object.entries(more) as [keyof Repaired, number | undefined][]) {
    sum[kind] += count
    if (count > 0) measure('Repaired', count, { kind })
  }
  return sum
}
