import type { TenantRef } from '../../../../kernel/tenancy.ts'
import { columnLogKey, columnLogPartition, columnLogSort } from '../../../../platform/store/keys/columns.ts'
import type { Key } from '../../../../platform/store/keys/key.ts'
import { readAll } from '../../../../platform/store/ranges/read-all.ts'
import type { Scope, Store } from '../../../../platform/store/store.ts'
import type { Item } from '../../../../platform/store/values/marshal.ts'
import { maxCallKeys } from '../../blocks.ts'
import { type LogHead, type LogRow, readLogHead, readLogItem } from '../../log-entry.ts'

/** An entry whose rows are not unpacked yet: many at once would keep other requests waiting. */
export interface LogEntry extends LogHead {
  rows(): readonly LogRow[]
}

/** The entries of a table's log behind `seq`: all of them, or for half the price as far as they are visible. */
export async function readLog(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  model: string,
  seq: number,
  { consistent = false }: { readonly consistent?: boolean } = {},
): Promise<LogEntry[]> {
  const items = await readAll(store, tenant, {
    pk: columnLogPartition(tenant, model),
    from: columnLogSort(seq + 1),
    consistent,
  })
  return items.map(entryOf)
}

/** So many entries are asked for by their keys; behind them the log is queried. */
const entriesAhead = 48

/**
 * The same for a process that reads the blocks before the log too: its first entries by their keys, which can be read in
 * one call with blocks. Entries that were removed, or are not visible yet, are left out.
 */
export async function readLogByKeys(
  store: Pick<Store, 'query' | 'getMany'>,
  tenant: TenantRef,
  model: string,
  seq: number,
): Promise<LogEntry[]> {
  const keys = Array.from({ length: entriesAhead }, (_, index) => columnLogKey(tenant, model, seq + 1 + index))
  const items = await store.getMany(tenant, keys, undefined, { consistent: false })
  const more = items.at(-1) ? await readLog(store, tenant, model, seq + entriesAhead) : []
  return [...items.flatMap((item) => (item ? [entryOf(item)] : [])), ...more]
}

const entryOf = (item: Item): LogEntry => ({ ...readLogHead(item), rows: () => readLogItem(item).rows })

/** A call that goes out at the end of this turn. */
interface JointCall {
  readonly keys: Key[]
  readonly items: Promise<(Item | undefined)[]>
}

/**
 * The same store, whose eventually consistent reads by key are made together: those of one turn that fit into one call go
 * out as one. All must be for the same scope. Other reads are made as they are.
 */
export function joinReads<S extends Pick<Store, 'getMany'>>(store: S): S {
  let next: JointCall | undefined

  function begin(scope: Scope): JointCall {
    const keys: Key[] = []
    const items = Promise.resolve().then(() => {
      if (next === call) next = undefined
      return store.getMany(scope, keys, undefined, { consistent: false })
    })
    const call: JointCall = { keys, items }
    return call
  }

  const getMany: Store['getMany'] = async (scope, keys, attributes, options) => {
    const canWait = attributes === undefined && options?.consistent === false && keys.length <= maxCallKeys
    if (!canWait) return store.getMany(scope, keys, attributes, options)
    if (next && next.keys.length + keys.length > maxCallKeys) next = undefined
    const call = (next ??= begin(scope))
    const start = call.keys.length
    call.keys.push(...keys)
    return (await call.items).slice(start, start + keys.length)
  }

  return { ...store, getMany }
}
