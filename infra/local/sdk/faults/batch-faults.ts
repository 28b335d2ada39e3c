/** Faults of batches: half of the batch is not done, or its messages arrive in reverse order. */

interface Call {
  readonly operation: string
  readonly input: any
}
type Make<T> = (input: unknown) => Promise<T>

/** Does the first half of a batch only. The answer reports the rest as unprocessed or failed, as the service would. */
export async function leaveOutHalf<T>(call: Call, make: Make<T>): Promise<T> {
  const { operation, input } = call
  const half = halves[operation]
  if (!half) throw new Error(`${operation} is no batch: nothing of it can be left out.`)
  return (await half(input, make as Make<any>)) as T
}

const halves: Readonly<Record<string, (input: any, make: Make<any>) => Promise<object>>> = {
  async BatchWriteItem(input, make) {
    const [table, requests] = onlyTable<object[]>(input)
    const [done, left] = cut(requests)
    const answer = done.length > 0 ? await make({ ...input, RequestItems: { [table]: done } }) : {}
    return { ...answer, UnprocessedItems: { [table]: left } }
  },
  async BatchGetItem(input, make) {
    const [table, wanted] = onlyTable<{ Keys: object[] }>(input)
    const [done, left] = cut(wanted.Keys)
    const answer =
      done.length > 0
        ? await make({ ...input, RequestItems: { [table]: { ...wanted, Keys: done } } })
        : { Responses: { [table]: [] } }
    return { ...answer, UnprocessedKeys: { [table]: { ...wanted, Keys: left } } }
  },
  async SendMessageBatch(input, make) {
    const [done, left] = cut(input.Entries as { Id: string }[])
    const answer = done.length > 0 ? await make({ ...input, Entries: done }) : { Successful: [] }
    const failed = left.map(({ Id }) => ({
      Id,
      Code: 'InternalError',
      Message: 'We encountered an internal error. Try again.',
      SenderFault: false,
    }))
    return { ...answer, Failed: [...(answer.Failed ?? []), ...failed] }
  },
  async PutRecords(input, make) {
    const [done, left] = cut(input.Records as object[])
    const answer = done.length > 0 ? await make({ ...input, Records: done }) : { FailedRecordCount: 0, Records: [] }
    const ErrorCode = 'ProvisionedThroughputExceededException'
    const failed = left.map(() => ({ ErrorCode, ErrorMessage: 'Rate exceeded for shard shardId-000000000000.' }))
    return { FailedRecordCount: answer.FailedRecordCount + left.length, Records: [...answer.Records, ...failed] }
  },
  async PutEvents(input, make) {
    const [done, left] = cut(input.Entries as object[])
    const answer = done.length > 0 ? await make({ ...input, Entries: done }) : { FailedEntryCount: 0, Entries: [] }
    const failed = left.map(() => ({ ErrorCode: 'InternalFailure', ErrorMessage: 'Internal Service Failure' }))
    return { FailedEntryCount: answer.FailedEntryCount + left.length, Entries: [...answer.Entries, ...failed] }
  },
}

/** Reverses the messages of a batch. Batches of a stream keep their order. */
export function reordered(input: any): unknown {
  if (Array.isArray(input?.Entries)) return { ...input, Entries: input.Entries.toReversed() }
  const isOfQueue =
    Array.isArray(input?.Records) &&
    input.Records.every((record: { messageId?: string }) => record.messageId !== undefined)
  return isOfQueue ? { ...input, Records: input.Records.toReversed() } : input
}

function onlyTable<T>(input: { RequestItems: Record<string, T> }): [string, T] {
  const [entry] = Object.entries(input.RequestItems)
  if (!entry) throw new Error('The batch names no table.')
  return entry
}

function cut<T>(members: readonly T[]): [T[], T[]] {
  const middle = members.length >> 1
  return [members.slice(0, middle), members.slice(middle)]
}
