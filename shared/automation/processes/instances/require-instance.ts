import { NotFound } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { instanceKey } from '../../../platform/store/keys/processes.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { readInstanceHead } from '../rows/instance-row.ts'
import { visibleRecords, type Visibility } from './visible-records.ts'

/** Reads the row of an instance. Throws NotFound unless the caller may read its record. */
export async function requireInstance(
  services: { readonly store: Pick<Store, 'get'> } & Visibility,
  caller: Caller,
  id: number,
): Promise<Item> {
  const item = await services.store.get(caller.tenant, instanceKey(caller.tenant, id))
  if (!item) throw new NotFound('process_instance', { id })
  const { model, recordId } = readInstanceHead(item)
  if (!(await visibleRecords(services, caller, model, [recordId])).has(recordId))
    throw new NotFound('process_instance', { id })
  return item
}
