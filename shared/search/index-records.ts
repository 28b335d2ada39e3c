import type { Clock } from '../kernel/clock.ts'
import type { Tenant } from '../kernel/tenancy.ts'
import { recordKey } from '../store/keys/records.ts'
import { manifestKey, postingKey } from '../store/keys/search.ts'
import type { Item } from '../store/marshal.ts'
import { isLiving, readRecordData, readRecordHead } from '../store/rows/record-row.ts'
import type { Store } from '../store/store.ts'
import type { Tables, Table } from '../tables/service.ts'
import { commitEntries, groupEntries, type PlannedEntry } from './commit-entries.ts'
import { indexContent } from './index-content.ts'
import { postingItem } from './index-rows.ts'
import { readManifest, type Manifest } from './manifest.ts'
import {
  planEntry,
  allPostings,
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

/** A record whose index entry is brought up to date. */
export interface RecordToIndex {
  readonly model: string
  readonly id: number
  /** The version in the change; for a deleted record, a lower bound of its last version. */
  readonly version: number
  /** An earlier attempt may have stopped halfway, so all postings are written again. */
  readonly again: boolean
}

interface PlannedRecord extends PlannedEntry {
  readonly record: RecordToIndex
}

/** The postings of one record to write and remove. */
interface PostingWork extends Pick<PlannedEntry, 'model' | 'id'> {
  readonly rev: number
  readonly puts: readonly PostingPut[]
  readonly removals: readonly PostingChange[]
}

/** How often a record that keeps changing is retried before its message goes back to the queue. */
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
 * Updates postings and counters of a tenant's records to the current records; answers the failures by record.
 * Idempotent and safe in any order and concurrency (docs/decisions/0010): the manifest and counters change in one
 * transaction, then postings are written, then the manifest is read again, and if it changed, all its postings are
 * written once more.
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
    open = await indexRound(deps, tenant, open, failures)
  }
  return failures
}

/** One attempt for each record. Answers the records to retry. */
async function indexRound(
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
      else if (before && again) postings.push({ model, id, rev: before.rev, ...allPostings(before) })
    } catch (cause) {
      failures.set(record, cause)
    }
  })
  const conflicted = new Set<RecordToIndex>()
  const writing: Promise<PostingWork[]>[] = []
  /** Starts writing postings; the next group's transaction does not wait for it. */
  const startWriting = (works: readonly PostingWork[]): void => {
    const written = writePostings(store, tenant, works)
    // A failure is thrown below, where the promise is awaited.
    written.catch(() => {})
    writing.push(written)
  }
  startWriting(postings)
  try {
    for (const group of groupEntries(planned)) {
      for (const { record } of await commitEntries(deps, tenant, group)) conflicted.add(record)
      startWriting(group.filter(({ record }) => !conflicted.has(record)).map(postingWork))
    }
  } finally {
    // No write may be in flight any more when this fails and the message is redelivered.
    await Promise.allSettled(writing)
  }
  const outdated = new Set((await Promise.all(writing)).flat().map(({ model, id }) => `${model}\n${id}`))
  return records.flatMap((record) => {
    if (outdated.has(`${record.model}\n${record.id}`)) return [{ ...record, again: true }]
    return conflicted.has(record) ? [record] : []
  })
}

function planRecord(
  table: Table | undefined,
  { version }: RecordToIndex,
  item: Item | undefined,
  before: Manifest | undefined,
): EntryPlan | undefined {
  const record = isLiving(item) ? item : undefined
  // A table can be removed only when it has no records.
  if (!table && record) throw new Error('the table of a living record does not exist')
  const wanted: Wanted = {
    version: Math.max(item ? readRecordHead(item).version : version, record ? 0 : (before?.version ?? 0)),
    tableVersion: table?.version ?? before?.tableVersion ?? 0,
    generation: table?.search_index.generation ?? before?.generation ?? 0,
    content: record && table ? indexContent(table, readRecordData(record)) : undefined,
  }
  const plan = planEntry(wanted, before)
  if (plan && before && (before.tableVersion > wanted.tableVersion || before.generation > wanted.generation) && table) {
    throw new Error('the index entry was made with a later configuration of the table')
  }
  return plan
}

function postingWork({ model, id, record, plan: { next, puts, removals } }: PlannedRecord): PostingWork {
  if (!record.again) return { model, id, rev: next.rev, puts, removals }
  const all = allPostings(next)
  const elsewhere = removals.filter(({ generation }) => generation !== next.generation)
  return { model, id, rev: next.rev, puts: all.puts, removals: [...all.removals, ...elsewhere] }
}

/** Writes postings of many records in parallel; answers the records whose manifest changed meanwhile. */
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
