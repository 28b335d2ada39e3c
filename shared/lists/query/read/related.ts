import type { TenantRef } from '../../../kernel/tenancy.ts'
import { userKey } from '../../../platform/store/keys/auth.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { asStored, type NamedFields } from '../../../platform/store/rows/stored-names.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type Expression, type QueryField, testsOf } from '../grammar/expression.ts'
import { peopleTarget, relatedName } from '../grammar/field.ts'
import { compilePredicate } from './compile-predicate.ts'
import { recordAttributes } from './read-records.ts'
import { readableRowOf, type Row, userRow } from './row.ts'

/** Reads referenced records, each at most once per query. */
export type Related = ReturnType<typeof openRelated>

export function openRelated(store: Pick<Store, 'getMany'>, tenant: TenantRef) {
  const known = new Map<string, Promise<Row | undefined>>()

  /** The rows with these ids in `target`, in their order. */
  async function find(target: string, fields: NamedFields, ids: readonly number[]): Promise<(Row | undefined)[]> {
    const address = (id: number): string => `${target}#${id}`
    const fresh = [...new Set(ids)].filter((id) => !known.has(address(id)))
    if (fresh.length > 0) {
      const keys = fresh.map((id) => (target === peopleTarget ? userKey(tenant, id) : recordKey(tenant, target, id)))
      const reading = store.getMany(tenant, keys, target === peopleTarget ? ['pk', 'sk', 'name'] : recordAttributes)
      for (const [index, id] of fresh.entries()) {
        known.set(
          address(id),
          reading.then((items) =>
            target === peopleTarget ? userRow(items[index]) : readableRowOf(items[index], fields),
          ),
        )
      }
    }
    return Promise.all(ids.map((id) => known.get(address(id))))
  }

  /** The referenced rows that the viewer may see, in the order of `ids`; undefined for the others. */
  async function findVisible(
    { refersTo, referred = asStored, visible }: QueryField,
    ids: readonly number[],
  ): Promise<(Row | undefined)[]> {
    const rows = await find(refersTo as string, referred, ids)
    if (!visible) return rows
    await attach(
      rows.filter((row) => row !== undefined),
      referencesIn(visible),
    )
    const isVisible = compilePredicate(visible)
    return rows.map((row) => (row && isVisible(row) ? row : undefined))
  }

  /** Sets `related` of each record to the records that `references` refer to. */
  async function attach(rows: readonly Row[], references: readonly QueryField[]): Promise<void> {
    if (references.length === 0 || rows.length === 0) return
    const found = await Promise.all(
      references.map(async (reference) => {
        const ids = rows.map((row) => Number(reference.readValue(row) ?? 0))
        const wanted = [...new Set(ids)].filter((id) => id > 0)
        const targets = await findVisible(reference, wanted)
        return { name: relatedName(reference), ids, byId: new Map(wanted.map((id, index) => [id, targets[index]])) }
      }),
    )
    for (const [index, row] of rows.entries()) {
      const attached = found.flatMap(({ name, ids, byId }) => {
        const target = byId.get(ids[index] as number)
        return target ? [[name, target] as const] : []
      })
      row.related = new Map([...(row.related ?? []), ...attached])
    }
  }

  return { findVisible, attach }
}

/** The references whose fields a filter uses. */
export function referencesIn(filter: Expression): QueryField[] {
  return [
    ...new Map(
      testsOf(filter).flatMap(({ field: { via } }) => (via ? [[relatedName(via), via] as const] : [])),
    ).values(),
  ]
}
