import type { Clock } from '../kernel/clock.ts'
import type { Tenant } from '../kernel/tenancy.ts'
import { recordKey } from '../store/keys/records.ts'
import { manifestKey, postingKey } from '../store/keys/search.ts'
import type { Item } from '../store/marshal.ts'
import { isLiving, readRecordData, readRecordHead } from '../store/rows/record-row.ts'
import type { Store } from '../store/table.ts'
import type { Tables, Table } from '../tables/service.ts'
import { commitEntries, groupEntries, type PlannedEntry } from './commit-entries.ts'
import { indexContent } from './index-content.ts'
import { postingItem } from './index-rows.ts'
import { readManifest, type Manifest } from './manifest.ts'
import {
  planEntry,
  repeatEntry,
  type EntryPlan,
  type PostingChange,
  type PostingPut,
  type Wanted,
} from './plan-entry.ts'

export interface IndexDependencies {
  readonly store: Store
  readonly tables: Pick<Tables, 'find'>
  readonly clock: Clock
}

/** A record to bring the index into step with. */
export interface RecordToIndex {
  readonly model: string
  readonly id: number
  /** The version that was heard of: what a record that is gone had last, at least. */
  readonly version: number
  /** Somebody may have died over it: its postings are written in any case. */
  readonly again: boolean
}

interface PlannedRecord extends PlannedEntry {
  readonly record: RecordToIndex
}

/** The postings of one record that are to be written. */
interface PostingWork extends Pick<PlannedEntry, 'model' | 'id'> {
  readonly rev: number
  readonly puts: readonly PostingPut[]
  readonly removals: readonly PostingChange[]
}

/** How often a record that others keep changing is looked at before its message goes back to the queue. */
const maxRounds = 8
const attributes = [
  'pk',
  'sk',
  'version',
  'data',
  'deleted_at',
  'rev',
  'table_version',
  'generation',
  'tokens',
  'counted',
  'former',
  'gone',
]

/**
 * Brings postings and counters of a tenant's records into step with the records as they stand; answers what went wrong, by
 * record. May run any number of times, at once, in any order: the manifest and the counters move in one transaction, on
 * condition of the manifest read, and only then are postings written. Whoever wrote postings looks at the manifest once more:
 * if it moved meanwhile, everything it says is written again. So the last writer always leaves what the last manifest says.
 */
export async function indexRecords(
  deps: IndexDependencies,
  tenant: Tenant,
  records: readonly RecordToIndex[],
): Promise<Map<RecordToIndex, unknown>> {
  const failures = new Map<RecordToIndex, unknown>()
  let open = [...records]
  for (let round = 0; open.length > 0; round += 1) {
    if (round === maxRounds) {
      for (const record of open) failures.set(record, new Error('the record keeps changing'))
      break
    }
    open = await indexOnce(deps, tenant, open, failures)
  }
  return failures
}

/** Answers the records that have to be looked at again. */
async function indexOnce(
  deps: IndexDependencies,
  tenant: Tenant,
  records: readonly RecordToIndex[],
  failures: Map<RecordToIndex, unknown>,
): Promise<RecordToIndex[]> {
  const { store, tables } = deps
  const keys = records.flatMap(({ model, id }) => [recordKey(tenant, model, id), manifestKey(tenant, model, id)])
  const items = await store.getMany(tenant, keys, attributes)
  const byName = new Map(
    await Promise.all(
      [...new Set(records.map(({ model }) => model))].map(
        async (model) => [model, await tables.find(tenant, model)] as const,
      ),
    ),
  )
  const planned: PlannedRecord[] = []
  const postings: PostingWork[] = []
  records.forEach((record, index) => {
    const { model, id, again } = record
    try {
      const before = readManifest(items[2 * index + 1])
      const plan = planRecord(byName.get(model), record, items[2 * index], before)
      if (plan) planned.push({ model, id, plan, record })
      else if (before && again) postings.push({ model, id, rev: before.rev, ...repeatEntry(before) })
    } catch (cause) {
      failures.set(record, cause)
    }
  })
  const overtaken = new Set<RecordToIndex>()
  const writing: Promise<PostingWork[]>[] = []
  /** The next group's transaction does not wait for them. */
  const writeAlong = (works: readonly PostingWork[]): void => {
    const written = writePostings(store, tenant, works)
    // Should it fail before somebody waits for it: the failure is seen below.
    written.catch(() => {})
    writing.push(written)
  }
  writeAlong(postings)
  try {
    for (const group of groupEntries(planned)) {
      for (const { record } of await commitEntries(deps, tenant, group)) overtaken.add(record)
      writeAlong(group.filter(({ record }) => !overtaken.has(record)).map(postingWork))
    }
  } finally {
    // Nothing may be on its way any more when this fails and the message comes again.
    await Promise.allSettled(writing)
  }
  const moved = new Set((await Promise.all(writing)).flat().map(({ model, id }) => `${model}\n${id}`))
  return records.flatMap((record) => {
    if (moved.has(`${record.model}\n${record.id}`)) return [{ ...record, again: true }]
    return overtaken.has(record) ? [record] : []
  })
}

function planRecord(
  table: Table | undefined,
  { version }: RecordToIndex,
  item: Item | undefined,
  before: Manifest | undefined,
): EntryPlan | undefined {
  const record = isLiving(item) ? item : undefined
  // A table that is gone took its records along.
  if (!table && record) throw new Error('the table of a living record is gone')
  const wanted: Wanted = {
    version: Math.max(item ? readRecordHead(item).version : version, record ? 0 : (before?.version ?? 0)),
    tableVersion: table?.version ?? before?.tableVersion ?? 0,
    generation: table?.search_index.generation ?? before?.generation ?? 0,
    content: record && table ? indexContent(table, readRecordData(record)) : undefined,
  }
  const plan = planEntry(wanted, before)
  if (plan && before && (before.tableVersion > wanted.tableVersion || before.generation > wanted.generation) && table) {
    throw new Error('the index knows a later configuration of the table')
  }
  return plan
}

function postingWork({ model, id, record, plan: { next, puts, removals } }: PlannedRecord): PostingWork {
  if (!record.again) return { model, id, rev: next.rev, puts, removals }
  const all = repeatEntry(next)
  const elsewhere = removals.filter(({ generation }) => generation !== next.generation)
  return { model, id, rev: next.rev, puts: all.puts, removals: [...all.removals, ...elsewhere] }
}

/** Writes postings of many records side by side; answers the records whose manifest moved while that went on. */
async function writePostings(store: Store, tenant: Tenant, all: readonly PostingWork[]): Promise<PostingWork[]> {
  const works = all.filter(({ puts, removals }) => puts.length + removals.length > 0)
  if (works.length === 0) return []
  await store.writeMany(
    tenant,
    works.flatMap(({ model, id, puts }) =>
      puts.map(({ generation, token, weight }) =>
        postingItem(postingKey(tenant, model, generation, token, id), weight),
      ),
    ),
    works.flatMap(({ model, id, removals }) =>
      removals.map(({ generation, token }) => postingKey(tenant, model, generation, token, id)),
    ),
  )
  const manifests = await store.getMany(
    tenant,
    works.map(({ model, id }) => manifestKey(tenant, model, id)),
    ['pk', 'sk', 'rev'],
  )
  return works.filter(({ rev }, index) => Number(manifests[index]?.rev) !== rev)
}
