import type { TenantRef } from '../../kernel/tenancy.ts'
import { userKey } from '../../store/keys/auth.ts'
import { recordKey } from '../../store/keys/records.ts'
import type { Store } from '../../store/table.ts'
import type { Expression } from '../grammar/expression-types.ts'
import type { QueryField } from '../grammar/expression-types.ts'
import { testsOf } from '../grammar/expression.ts'
import { peopleTarget, relatedName } from '../grammar/field.ts'
import { compilePredicate } from '../plan/compile-predicate.ts'
import type { SortKey } from '../plan/order.ts'
import { recordAttributes, type Reader } from './reader.ts'
import { rowOf, userRow, type Row } from './row.ts'

/** Reads what references point at, each target once a query. */
export type Related = ReturnType<typeof openRelated>

export function openRelated(store: Store, tenant: TenantRef, reader: Pick<Reader, 'counted' | 'cost'>) {
  const known = new Map<string, Promise<Row | undefined>>()

  /** The rows that ids of `target` stand for, in their order. */
  async function find(target: string, ids: readonly number[]): Promise<(Row | undefined)[]> {
    const address = (id: number): string => `${target}#${id}`
    const fresh = [...new Set(ids)].filter((id) => !known.has(address(id)))
    if (fresh.length > 0) {
      const keys = fresh.map((id) => (target === peopleTarget ? userKey(tenant, id) : recordKey(tenant, target, id)))
      reader.cost.recordsRead += keys.length
      const reading = reader.counted(Math.ceil(keys.length / 100), () =>
        store.getMany(tenant, keys, target === peopleTarget ? ['pk', 'sk', 'name'] : recordAttributes),
      )
      for (const [index, id] of fresh.entries()) {
        known.set(
          address(id),
          reading.then((items) => (target === peopleTarget ? userRow(items[index]) : rowOf(items[index]))),
        )
      }
    }
    return Promise.all(ids.map((id) => known.get(address(id))))
  }

  /** What ids of a reference stand for as far as the viewer may see it, in their order. */
  async function findSeen({ refersTo, seen }: QueryField, ids: readonly number[]): Promise<(Row | undefined)[]> {
    const rows = await find(refersTo as string, ids)
    if (!seen) return rows
    await attach(
      rows.filter((row) => row !== undefined),
      referencesIn(seen, []),
    )
    const isSeen = compilePredicate(seen)
    return rows.map((row) => (row && isSeen(row) ? row : undefined))
  }

  /** Puts what `references` point at beside each record. */
  async function attach(rows: readonly Row[], references: readonly QueryField[]): Promise<void> {
    if (references.length === 0 || rows.length === 0) return
    const found = await Promise.all(
      references.map(async (reference) => {
        const ids = rows.map((row) => Number(reference.readValue(row) ?? 0))
        const wanted = [...new Set(ids)].filter((id) => id > 0)
        const targets = await findSeen(reference, wanted)
        return { name: relatedName(reference), ids, byId: new Map(wanted.map((id, index) => [id, targets[index]])) }
      }),
    )
    for (const [index, row] of rows.entries()) {
      const beside = found.flatMap(({ name, ids, byId }) => {
        const target = byId.get(ids[index] as number)
        return target ? [[name, target] as const] : []
      })
      row.related = new Map([...(row.related ?? []), ...beside])
    }
  }

  return { findSeen, attach }
}

/** The references that a filter and a sort step through. */
export function referencesIn(filter: Expression, order: readonly SortKey[]): QueryField[] {
  const fields = [...testsOf(filter).map(({ field }) => field), ...order.map(({ field }) => field)]
  return [...new Map(fields.flatMap(({ via }) => (via ? [[relatedName(via), via] as const] : []))).values()]
}
