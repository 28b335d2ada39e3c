import * as z from 'zod'
import type { Clock } from '../clock.ts'
import { defineJob, type JobKind, type JobStep } from '../jobs/define-job.ts'
import type { JobError } from '../jobs/schema.ts'
import { log } from '../log.ts'
import { measure } from '../metrics.ts'
import { sequenceKey } from '../store/keys.ts'
import type { Item } from '../store/marshal.ts'
import type { Store } from '../store/table.ts'
import type { Tables } from '../tables/service.ts'
import type { Tenant } from '../tenancy.ts'
import { readBookmark, writeBookmark } from './bookmark.ts'
import { changedRecords, lastImage, type Life, type Span } from './changed-records.ts'
import { mendHistory, type HistoryMender } from './mend-history.ts'
import { countLive, isOff, mendLive, sequenceState, sequenceText, type LiveCount } from './mend-live.ts'
import { mendSearch, type SearchMender } from './mend-search.ts'

export const repairKind = 'repair'
export const RepairInput = z.object({ since: z.string(), until: z.string() })

export interface RepairDependencies {
  readonly store: Store
  readonly tables: Tables
  readonly clock: Clock
  readonly objects: HistoryMender['objects']
  readonly send: SearchMender['send']
  readonly searchQueueUrl: () => string
  /** As long as a request may live: a count that stays wrong for longer is wrong. */
  readonly settleMs: number
}

interface Mended {
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
  readonly mended: Mended
  /** Tables whose count seems to be wrong, as it was first counted. */
  readonly suspects?: readonly { readonly model: string; readonly count: LiveCount }[]
  readonly counted?: Readonly<Record<string, string>>
}

const recordsAtOnce = 200
const sideBySide = 16

/**
 * Looks through what changed within a span, as the store has it: every version must have its entry in history, and search
 * must have heard of the latest; then the number of living records of every table. Mends what is not so. Each mend is logged
 * and measured, for there should be none.
 */
export const repairJob = (deps: RepairDependencies): JobKind =>
  defineJob<typeof RepairInput, RepairState>(repairKind, RepairInput, async ({ tenant, timeIsUp }, span, saved) => {
    let state: RepairState = saved ?? { life: 'living', models: (await deps.tables.all(tenant)).map(({ name }) => name), mended: { history: 0, live: 0, search: 0 } }
    let worked = 0
    const errors: JobError[] = []
    while (state.models.length > 0) {
      if (timeIsUp()) return { state, worked, errors }
      const page = await repairPage(deps, tenant, state, span)
      state = page.state
      worked += page.worked
      errors.push(...page.errors)
    }
    if (!state.suspects) {
      state = { ...state, ...(await countTables(deps, tenant)) }
      if (state.suspects && state.suspects.length > 0) return { state, worked, errors, pauseMs: deps.settleMs }
    }
    return { ...(await finish(deps, tenant, state, span)), worked, errors }
  })

async function repairPage(deps: RepairDependencies, tenant: Tenant, state: RepairState, span: Span): Promise<{ state: RepairState; worked: number; errors: readonly JobError[] }> {
  const [model = '', ...others] = state.models
  const { life } = state
  const { keys, last } = await changedRecords(deps.store, tenant, model, life, span, recordsAtOnce, state.after)
  const found = (await deps.store.getMany(tenant, keys)).filter((item): item is Item => item !== undefined)
  // What changed since then is the next night's.
  const records =
    life === 'gone' ? found.map((item) => lastImage(tenant, model, item)) : found.filter((item) => item.deleted_at === undefined && String(item.updated_at) < span.until)
  const errors: JobError[] = []
  let history = 0
  for (let start = 0; start < records.length; start += sideBySide) {
    const outcomes = await Promise.all(records.slice(start, start + sideBySide).map((item) => mendOne(deps, tenant, item, span)))
    for (const outcome of outcomes) {
      if (typeof outcome === 'number') history += outcome
      else errors.push(outcome)
    }
  }
  const behind = await mendSearch(deps, tenant, model, records)
  if (behind.length > 0) log.warn('told search of changes it had not heard of', { tenant_id: tenant.id, model, ids: behind })
  const mended = add(state.mended, { history, search: behind.length })
  const next = last ? { after: last } : { after: undefined, ...(life === 'living' ? { life: 'gone' as const } : { life: 'living' as const, models: others }) }
  return { state: { ...state, mended, ...next }, worked: records.length, errors }
}

/** How many entries were missing, or why that could not be found out: one record that cannot be read keeps nobody from the others. */
async function mendOne(deps: RepairDependencies, tenant: Tenant, item: Item, { since }: Span): Promise<number | JobError> {
  const which = { model: String(item.model), id: Number(item.sk) }
  try {
    const versions = await mendHistory(deps, tenant, item, since)
    if (versions.length > 0) log.warn('wrote history that was missing', { tenant_id: tenant.id, ...which, versions })
    return versions.length
  } catch (error) {
    log.error('could not check the history of a record', error, { tenant_id: tenant.id, ...which })
    return { message: 'The history of this record could not be checked.', ...which }
  }
}

/** The tables whose count changed since it was last found right, and of these the ones where it seems to be wrong. */
async function countTables({ store, tables }: RepairDependencies, tenant: Tenant): Promise<Pick<RepairState, 'suspects' | 'counted'>> {
  const counted: Record<string, string> = {}
  const suspects: { model: string; count: LiveCount }[] = []
  const known = (await readBookmark(store, tenant))?.counted ?? {}
  for (const { name: model } of await tables.all(tenant)) {
    const standing = sequenceText(sequenceState(await store.get(tenant, sequenceKey(tenant, model))))
    if (known[model] === standing) {
      counted[model] = standing
      continue
    }
    const count = await countLive(store, tenant, model)
    // A table in use is counted again the next night.
    if (!count) continue
    if (isOff(count)) suspects.push({ model, count })
    else counted[model] = sequenceText(count)
  }
  return { suspects, counted }
}

async function finish(deps: RepairDependencies, tenant: Tenant, state: RepairState, { until }: Span): Promise<JobStep<RepairState>> {
  const counted: Record<string, string> = { ...state.counted }
  let live = 0
  for (const { model, count } of state.suspects ?? []) {
    const again = await countLive(deps.store, tenant, model)
    if (again?.next !== count.next || again.live !== count.live || again.counted !== count.counted) continue
    if (!(await mendLive(deps.store, tenant, model, again))) continue
    log.warn('set the number of records right', { tenant_id: tenant.id, model, was: again.live, is: again.counted })
    counted[model] = sequenceText({ ...again, live: again.counted })
    live += 1
  }
  const mended = add(state.mended, { live })
  await writeBookmark(deps.store, tenant, { until, counted })
  return { ended: 'done', result: mended }
}

function add(mended: Mended, more: Partial<Mended>): Mended {
  const sum = { ...mended }
  for (const [kind, count = 0] of Object.entries(more) as [keyof Mended, number | undefined][]) {
    sum[kind] += count
    if (count > 0) measure('Repaired', count, { kind })
  }
  return sum
}
