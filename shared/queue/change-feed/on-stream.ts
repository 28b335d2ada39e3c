import { log } from '../../kernel/log.ts'
import { unmarshal, type AttributeValue, type Item } from '../../store/marshal.ts'

/** One write of an item, from the table's stream. */
export interface ItemChange {
  readonly sequenceNumber: string
  readonly before: Item | undefined
  /** undefined: the item was removed. */
  readonly after: Item | undefined
}

/** What a stream reader could not handle; everything from the first of them on is delivered again. */
export interface StreamFailure {
  readonly change: ItemChange
  readonly cause: unknown
}

interface StreamEvent {
  readonly Records: readonly {
    readonly dynamodb?: {
      readonly SequenceNumber?: string
      readonly OldImage?: Record<string, AttributeValue>
      readonly NewImage?: Record<string, AttributeValue>
    }
  }[]
}
interface StreamAnswer {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[]
}

/** A handler of stream batches that reports partial failures: `read` answers what it could not handle. */
export const onStream =
  (read: (changes: readonly ItemChange[]) => Promise<readonly StreamFailure[]>) =>
  async (event: StreamEvent): Promise<StreamAnswer> => {
    const changes = event.Records.map(({ dynamodb }) => ({
      sequenceNumber: dynamodb?.SequenceNumber ?? '',
      before: dynamodb?.OldImage && unmarshal(dynamodb.OldImage),
      after: dynamodb?.NewImage && unmarshal(dynamodb.NewImage),
    }))
    const failures = await read(changes)
    for (const { change, cause } of failures)
      log.error('stream record failed', cause, { sequence_number: change.sequenceNumber })
    return { batchItemFailures: failures.map(({ change }) => ({ itemIdentifier: change.sequenceNumber })) }
  }
