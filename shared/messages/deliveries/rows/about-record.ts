import type { RecordHead } from '../../../platform/store/rows/record-row.ts'
import type { Write } from '../../../platform/store/store.ts'
import { readJson } from '../../../platform/store/values/json-attribute.ts'
import type { DeliverySource } from '../state/delivery.ts'

/**
 * The writes of an operation that makes a record: what was sent before the record had an id is about that record and as
 * old as it, so that its deliveries follow it in its timeline, and answers to its mails lead back to it.
 */
export const aboutNewRecord = (
  writes: readonly Write[],
  model: string,
  { id, created_at }: Pick<RecordHead, 'id' | 'created_at'>,
): Write[] =>
  writes.map((write) => {
    if (!('put' in write) || write.put.kind !== 'intent') return write
    const source = readJson<DeliverySource>(write.put, 'source')
    if (source.model !== model || source.record_id !== null) return write
    return {
      ...write,
      put: {
        ...write.put,
        source: JSON.stringify({ ...source, record_id: id }),
        created_at_ms: Date.parse(created_at),
      },
    }
  })
