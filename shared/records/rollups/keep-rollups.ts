import type { Tenant } from '../../kernel/tenancy.ts'
import type { Columns } from '../../lists/columns/reader/create-columns.ts'
import { recordKey } from '../../platform/store/keys/records.ts'
import { rollupsOf } from '../../tables/tables/checks/check-rollups.ts'
import { type DerivationDependencies, deriveRecords } from './derive-records.ts'
import type { TouchedRollups } from './schema.ts'

export interface KeepRollupsDependencies extends DerivationDependencies {
  readonly columns: Pick<Columns, 'open'>
  /** undefined for a removed tenant, whose messages are dropped. */
  readonly findTenant: (id: number) => Promise<Tenant | undefined>
}

interface Received {
  readonly message: TouchedRollups
}

/**
 * Brings the rollups up to date that some writes touch: each record once, whatever the number of writes, by evaluating
 * them anew. So messages may come twice, late and in any order, and a rollup that was made of an older list than the one
 * before is made once more. Answers the cause for each message that failed.
 */
export async function keepRollups<M extends Received>(
  services: KeepRollupsDependencies,
  messages: readonly M[],
): Promise<ReadonlyMap<M, unknown>> {
  const failures = new Map<M, unknown>()
  for (const [tenantId, ofTenant] of Map.groupBy(messages, ({ message }) => message.tenant_id)) {
    try {
      const tenant = await services.findTenant(tenantId)
      if (!tenant) continue
      await takeNote(services, tenant, ofTenant)
      for (const [name, ids] of touchedOf(ofTenant)) {
        const fail = (id: number, cause: unknown): void => {
          for (const one of ofTenant)
            if (one.message.touched.split(' ').includes(`${name}#${id}`)) failures.set(one, cause)
        }
        await keepOfTable(services, tenant, name, [...ids], fail)
      }
    } catch (cause) {
      for (const one of ofTenant) failures.set(one, cause)
    }
  }
  return failures
}

/** The ids of the touched records by table. */
function touchedOf(messages: readonly Received[]): ReadonlyMap<string, ReadonlySet<number>> {
  const ids = new Map<string, Set<number>>()
  for (const { message } of messages)
    for (const one of message.touched.split(' ')) {
      const [table = '', id] = one.split('#')
      const known = ids.get(table) ?? new Set()
      ids.set(table, known.add(Number(id)))
    }
  return ids
}

async function keepOfTable(
  services: KeepRollupsDependencies,
  tenant: Tenant,
  name: string,
  ids: readonly number[],
  fail: (id: number, cause: unknown) => void,
): Promise<void> {
  const table = await services.tables.find(tenant, name)
  if (!table || rollupsOf(table).length === 0) return
  const items = await services.store.getMany(
    tenant,
    ids.map((id) => recordKey(tenant, name, id)),
  )
  const found = items.filter((item) => item !== undefined)
  await deriveRecords(services, tenant, table, found, 'rollup', fail)
}

/**
 * Makes sure that the columns of this process have the writes that the messages are of: the index of changes, which tells
 * of the latest ones, may lag behind the stream.
 */
async function takeNote(
  { columns, store }: KeepRollupsDependencies,
  tenant: Tenant,
  messages: readonly Received[],
): Promise<void> {
  for (const [model, some] of Map.groupBy(messages, ({ message }) => message.model)) {
    if (model === undefined) continue
    const ids = new Set(
      some.flatMap(({ message: { id = 0, to = id } }) => Array.from({ length: to - id + 1 }, (_, index) => id + index)),
    )
    const view = await columns.open(tenant, model, [])
    try {
      const list = [...ids]
      const items = await store.getMany(
        tenant,
        list.map((id) => recordKey(tenant, model, id)),
      )
      view.note(items, list)
    } finally {
      view.release()
    }
  }
}
