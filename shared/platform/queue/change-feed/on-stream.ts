import { log } from '../../../kernel/runtime/log.ts'
import { inTimeLimit } from '../../../kernel/throttling/time-limit.ts'
import { unmarshal, type AttributeValue, type Item } from '../../store/values/marshal.ts'

/** One write of an item, from the table's stream. */
export interface ItemChange {
  readonly sequenceNumber: string
  readonly before: Item | undefined
  /** undefined when the item was removed. */
  readonly after: Item | undefined
}

/** A change that could not be handled. The stream delivers again from the first failure on. */
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

/** A handler of stream batches that reports partial failures: `handle` answers the changes it could not handle. */
export const onStream =
  (handle: (changes: readonly ItemChange[]) => Promise<readonly StreamFailure[]>) =>
  async (event: StreamEvent, context: { getRemainingTimeInMillis(): number }): Promise<StreamAnswer> => {
    const changes = event.Records.map(({ dynamodb }) => ({
      sequenceNumber: dynamodb?.SequenceNumber ?? '',
      before: dynamodb?.OldImage && unmarshal(dynamodb.OldImage),
      after: dynamodb?.NewImage && unmarshal(dynamodb.NewImage),
    }))
    const failures = await inTimeLimit(
      () => context.getRemainingTimeInMillis(),
      () => handle(changes),
    )
    for (const { change, cause } of failures)
      log.error('stream record failed', cause, { sequence_number: change.sequenceNumber })
    return { batchItemFailures: failures.map(({ change }) => ({ itemIdentifier: change.sequenceNumber })) }
  }
