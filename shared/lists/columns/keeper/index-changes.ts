import { mayFail } from '../../../kernel/runtime/log.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { ChangeEvent } from '../../../platform/queue/change-feed/change-event.ts'
import { saidModel } from '../../../platform/queue/change-feed/said-event.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { LogRow } from '../log-entry.ts'
import { goneRow, rowOfRecord } from '../row-of-record.ts'
import type { Keeper } from './keeper.ts'

export interface IndexDependencies {
  readonly store: Pick<Store, 'getMany'>
  readonly keeper: Pick<Keeper, 'append' | 'foldIfLong'>
  /** What the index of what was said holds of changed comments and messages, by their place in it; tells `fail` of each that cannot be read. */
  readonly readSaid: (
    tenant: Tenant,
    changes: readonly ChangeEvent[],
    fail: (change: ChangeEvent, cause: unknown) => void,
  ) => Promise<ReadonlyMap<number, LogRow>>
  /** undefined for a removed tenant, whose changes are dropped. */
  readonly findTenant: (id: number) => Promise<Tenant | undefined>
}

export interface ReceivedChange {
  readonly message: ChangeEvent
}

/**
 * Appends the current state of the changed records of any tenants to the logs of their tables, each record once.
 * Answers the cause for each change whose record failed; other records, tables and tenants do not fail with it.
 */
export async function indexChanges<C extends ReceivedChange>(
  services: IndexDependencies,
  changes: readonly C[],
): Promise<Map<C, unknown>> {
  const failures = new Map<C, unknown>()
  const failAll = (some: readonly C[], cause: unknown): void => {
    for (const change of some) failures.set(change, cause)
  }
  const tenants = Map.groupBy(changes, ({ message }) => message.tenant_id)
  await Promise.all(
    [...tenants].map(async ([tenantId, ofTenant]) => {
      try {
        const tenant = await services.findTenant(tenantId)
        if (!tenant) return
        const tables = Map.groupBy(ofTenant, ({ message }) => message.model)
        await Promise.all(
          [...tables].map(([model, ofTable]) =>
            indexTable(services, tenant, model, ofTable, failAll).catch((cause: unknown) => failAll(ofTable, cause)),
          ),
        )
      } catch (cause) {
        failAll(ofTenant, cause)
      }
    }),
  )
  return failures
}

async function indexTable<C extends ReceivedChange>(
  services: IndexDependencies,
  tenant: Tenant,
  model: string,
  changes: readonly C[],
  fail: (changes: readonly C[], cause: unknown) => void,
): Promise<void> {
  const { keeper } = services
  const changesOf = Map.groupBy(changes, ({ message }) => message.id)
  const rows =
    model === saidModel
      ? await rowsOfSaid(services, tenant, changesOf, fail)
      : await rowsOfRecords(services, tenant, model, changesOf, fail)
  await appendEach(
    (some) => keeper.append(tenant, model, some),
    rows,
    ({ id }, cause) => fail(changesOf.get(id) ?? [], cause),
  )
  // The rows are safe in the log; a later batch folds it.
  await mayFail('fold a column log', () => keeper.foldIfLong(tenant, model))
}

async function rowsOfSaid<C extends ReceivedChange>(
  { readSaid }: IndexDependencies,
  tenant: Tenant,
  changesOf: ReadonlyMap<number, readonly C[]>,
  fail: (changes: readonly C[], cause: unknown) => void,
): Promise<LogRow[]> {
  const newest = [...changesOf.values()].map((some) =>
    some.map(({ message }) => message).reduce((one, other) => (other.version >= one.version ? other : one)),
  )
  const failed = new Set<number>()
  const known = await readSaid(tenant, newest, ({ id }, cause) => {
    failed.add(id)
    fail(changesOf.get(id) ?? [], cause)
  })
  return newest.flatMap(({ id, version }) => (failed.has(id) ? [] : [known.get(id) ?? goneRow(id, version)]))
}

async function rowsOfRecords<C extends ReceivedChange>(
  { store }: IndexDependencies,
  tenant: Tenant,
  model: string,
  changesOf: ReadonlyMap<number, readonly C[]>,
  fail: (changes: readonly C[], cause: unknown) => void,
): Promise<LogRow[]> {
  const records = [...changesOf]
  const items = await store.getMany(
    tenant,
    records.map(([id]) => recordKey(tenant, model, id)),
  )
  const rows: LogRow[] = []
  for (const [index, [id, ofRecord]] of records.entries()) {
    const item = items[index]
    try {
      const row = item && rowOfRecord(item)
      const version = Math.max(row?.version ?? 0, ...ofRecord.map(({ message }) => message.version))
      rows.push(!row || row.isGone ? goneRow(id, version) : row)
    } catch (cause) {
      fail(ofRecord, cause)
    }
  }
  return rows
}

/**
 * Appends rows together. When what they hold is refused, the ones that are to blame are found by halves and fail alone.
 * Throws what keeps every row from being appended: a busy provider, or a log that others keep appending to.
 */
async function appendEach(
  append: (rows: readonly LogRow[]) => Promise<void>,
  rows: readonly LogRow[],
  fail: (row: LogRow, cause: unknown) => void,
): Promise<void> {
  try {
    await append(rows)
  } catch (cause) {
    if (!isAboutContent(cause)) throw cause
    const [only] = rows
    if (rows.length <= 1) {
      if (only) fail(only, cause)
      return
    }
    const half = rows.length >> 1
    await appendEach(append, rows.slice(0, half), fail)
    await appendEach(append, rows.slice(half), fail)
  }
}

/** DynamoDB refuses an item by its content, or it cannot be packed. */
const isAboutContent = (cause: unknown): boolean =>
  cause instanceof TypeError ||
  cause instanceof RangeError ||
  (cause instanceof Error && cause.name === 'ValidationException')
