import type { TenantRef } from '../../../kernel/tenancy.ts'
import { userKey } from '../../../platform/store/keys/auth.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { ColumnView } from '../../columns/reader/view.ts'
import { NumbersVector } from '../../columns/vector/numbers.ts'
import { userRow } from '../read/row.ts'

/** The names of the people that a column refers to, by id. People are no table, so their rows are read. */
export async function readNames(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  view: ColumnView,
  column: string,
): Promise<ReadonlyMap<number, string>> {
  const ids = new Set<number>()
  for (let chunk = 0; chunk < view.chunks; chunk += 1) {
    for (let waiting = view.ready(chunk); waiting; waiting = view.ready(chunk)) await waiting
    const vector = view.vector(column, chunk)
    const alive = view.alive(chunk)
    if (!(vector instanceof NumbersVector) || !alive) continue
    for (let position = 0; position < alive.length; position += 1) {
      const id = alive[position] === 1 ? vector.numberAt(position) : Number.NaN
      if (id > 0) ids.add(id)
    }
  }
  const keys = [...ids].map((id) => userKey(tenant, id))
  const items = keys.length === 0 ? [] : await store.getMany(tenant, keys, ['pk', 'sk', 'name'])
  return new Map(
    items.flatMap((item) => {
      const row = userRow(item)
      return row ? [[row.id, String(row.data.name)] as const] : []
    }),
  )
}
