import { readRecordRange } from '../../../shared/platform/store/ranges/record-range.ts'
import { readSequence } from '../../../shared/platform/store/sequence/sequence.ts'
import type { Store } from '../../../shared/platform/store/store.ts'
import type { Item } from '../../../shared/platform/store/values/marshal.ts'

/** The rows of a table of the first tenant, also of records that are being deleted. */
export async function everyRecordRow(store: Store, model: string): Promise<Item[]> {
  const { last } = await readSequence(store, { id: 1 }, model)
  return readRecordRange(store, { id: 1 }, { model, from: 1, to: last })
}
