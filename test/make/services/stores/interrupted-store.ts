import type { Store } from '../../../../shared/platform/store/store.ts'
import type { SingleTable } from './single-table.ts'

/** The store of a table in which somebody else is faster once: `meanwhile` runs before the next call of `operation`. */
export function interruptedStore(
  table: SingleTable,
  operation: 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'TransactWriteItems',
  meanwhile: () => Promise<unknown>,
): Store {
  let wasFaster = false
  return table.storeThrough(async (name, call) => {
    if (name === operation && !wasFaster) {
      wasFaster = true
      await meanwhile()
    }
    return call()
  })
}
