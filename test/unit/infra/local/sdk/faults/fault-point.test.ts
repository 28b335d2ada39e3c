import { describe, expect, it } from 'vitest'
import { openFaultPoint, TransactionConflict } from '../../../../../../infra/local/sdk/faults/fault-point.ts'

const call = (operation: string, input: unknown) => ({ service: 'any', operation, functionName: 'Some', input })
/** The inputs the provider got, and the answer the caller got, under a fault. */
async function under(
  action: Parameters<ReturnType<typeof openFaultPoint>['inject']>[0]['action'],
  operation: string,
  input: unknown,
  answer: object = {},
) {
  const faults = openFaultPoint([{ action }])
  const made: any[] = []
  const answered: any = await faults.run(call(operation, input), async (given) => {
    made.push(given)
    return answer
  })
  return { made, answered }
}

describe('a fault', () => {
  it('leave-out does half of a batch and reports the rest like the service', async () => {
    const puts = [1, 2, 3].map((n) => ({ PutRequest: { Item: { pk: { S: `${n}` } } } }))
    const written = await under('leave-out', 'BatchWriteItem', { RequestItems: { Table: puts } })
    expect(written.made).toEqual([{ RequestItems: { Table: puts.slice(0, 1) } }])
    expect(written.answered).toEqual({ UnprocessedItems: { Table: puts.slice(1) } })

    const Keys = [{ pk: { S: '1' } }]
    const read = await under('leave-out', 'BatchGetItem', { RequestItems: { Table: { Keys, ConsistentRead: true } } })
    expect(read).toEqual({
      made: [],
      answered: { Responses: { Table: [] }, UnprocessedKeys: { Table: { Keys, ConsistentRead: true } } },
    })

    const sent = await under(
      'leave-out',
      'SendMessageBatch',
      { QueueUrl: 'q', Entries: [{ Id: 'a' }, { Id: 'b' }] },
      { Successful: [{ Id: 'a' }] },
    )
    expect(sent.made).toEqual([{ QueueUrl: 'q', Entries: [{ Id: 'a' }] }])
    expect(sent.answered).toMatchObject({ Successful: [{ Id: 'a' }], Failed: [{ Id: 'b', SenderFault: false }] })
    await expect(under('leave-out', 'PutItem', {})).rejects.toThrow('no batch')
  })

  it('reorder reverses the messages of a queue, never the records of a stream', async () => {
    const messages = [{ messageId: 'a' }, { messageId: 'b' }]
    expect((await under('reorder', 'Invoke', { Records: messages })).made).toEqual([{ Records: messages.toReversed() }])
    expect((await under('reorder', 'SendMessageBatch', { Entries: [1, 2] })).made).toEqual([{ Entries: [2, 1] }])
    const records = [{ dynamodb: { SequenceNumber: '1' } }, { dynamodb: { SequenceNumber: '2' } }]
    expect((await under('reorder', 'Invoke', { Records: records })).made).toEqual([{ Records: records }])
  })

  it('delay can run other work right before the call', async () => {
    const order: string[] = []
    const faults = openFaultPoint([{ action: { delay: async () => order.push('other') } }])
    await faults.run(call('PutItem', {}), async () => order.push('call'))
    expect(order).toEqual(['other', 'call'])
  })

  it('conflict rejects a write with a transaction conflict', async () => {
    await expect(under('conflict', 'PutItem', {})).rejects.toBeInstanceOf(TransactionConflict)
  })
})
