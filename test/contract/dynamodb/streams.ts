import { DeleteItemCommand, PutItemCommand, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb'
import { expect, test } from 'vitest'
import type { StreamRecord } from '../../../infra/local/dynamodb/streams/stream-log.ts'
import type { Fixture } from './fixture.ts'
import { N, S, failure, key, operationsOn, partition } from './operations.ts'

/** Streams and time to live, as seen by a consumer in process and by a client of the Streams service. */
export function streamCases(fixture: () => Fixture): void {
  const { put, update, remove, transact, get } = operationsOn(fixture)

  /** The records of a partition that `work` causes. */
  async function recordsOf(pk: string, work: () => Promise<unknown>): Promise<StreamRecord[]> {
    const stream = fixture().dynamoDb.stream('main')
    const before = stream.latest
    await work()
    return (await stream.read(before, 1000)).filter((record) => record.dynamodb.Keys.pk!.S === pk)
  }

  test('records inserts, modifications and deletes with both images', async () => {
    const pk = partition()
    const records = await recordsOf(pk, async () => {
      await put({ ...key(pk), v: N(1) })
      await update(key(pk), 'SET v = :v', { ':v': N(2) })
      await remove(key(pk))
    })
    expect(
      records.map(({ eventName, dynamodb }) => [eventName, dynamodb.OldImage?.v?.N, dynamodb.NewImage?.v?.N]),
    ).toEqual([
      ['INSERT', undefined, '1'],
      ['MODIFY', '1', '2'],
      ['REMOVE', '2', undefined],
    ])
    expect(records[0]).toEqual({
      eventID: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      eventName: 'INSERT',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      eventSourceARN: fixture().dynamoDb.describe('main')!.LatestStreamArn,
      awsRegion: 'eu-central-1',
      dynamodb: {
        ApproximateCreationDateTime: Math.floor(fixture().clock.now / 1000),
        Keys: key(pk),
        NewImage: { ...key(pk), v: N(1) },
        SequenceNumber: expect.stringMatching(/^\d{21}$/) as string,
        SizeBytes: 2 * (2 + 36 + 2 + 1) + 1 + 2,
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
    })
    const sequence = records.map((record) => record.dynamodb.SequenceNumber)
    expect(sequence).toEqual(sequence.toSorted())
    expect(new Set(records.map((record) => record.eventID)).size).toBe(3)
  })

  test('records nothing when nothing changed', async () => {
    const pk = partition()
    await put({ ...key(pk), a: N(1), b: { SS: ['x', 'y'] } })
    expect(
      await recordsOf(pk, async () => {
        await put({ b: { SS: ['y', 'x'] }, a: N('1.0'), ...key(pk) })
        await update(key(pk), 'SET a = :v', { ':v': N(1) })
        await remove(key(pk, 'never there'))
        await failure(put(key(pk), { ConditionExpression: 'attribute_not_exists(pk)' }))
      }),
    ).toEqual([])
  })

  test('records every item of a transaction, and none of a cancelled one', async () => {
    const pk = partition()
    const records = await recordsOf(pk, async () => {
      await transact(['a', 'b'].map((sk) => ({ Put: { TableName: 'main', Item: key(pk, sk) } })))
      await failure(
        transact([
          { Put: { TableName: 'main', Item: key(pk, 'c') } },
          { ConditionCheck: { TableName: 'main', Key: key(pk, 'a'), ConditionExpression: 'attribute_not_exists(pk)' } },
        ]),
      )
    })
    expect(records.map((record) => record.dynamodb.Keys.sk!.S).sort()).toEqual(['a', 'b'])
  })

  test('shows a record not before its change and not after the answer', async () => {
    const { dynamoDb } = fixture()
    const stream = dynamoDb.stream('main')
    const pk = partition()
    const before = stream.latest
    const arrival = stream.waitForRecords(before, AbortSignal.timeout(5000)).then(() => get(key(pk)))
    await put(key(pk))
    expect(await arrival).toEqual(key(pk))
    expect(Number(stream.latest.slice(-9))).toBe(Number(before.slice(-9)) + 1)
  })

  test('stops waiting for a record when aborted', async () => {
    const stream = fixture().dynamoDb.stream('main')
    const stop = new AbortController()
    setImmediate(() => stop.abort(new Error('enough')))
    await expect(stream.waitForRecords(stream.latest, stop.signal)).rejects.toThrow('enough')
    await expect(stream.waitForRecords(stream.latest, stop.signal)).rejects.toThrow('enough')
  })

  test('reads in portions and drops trimmed records', async () => {
    const pk = partition()
    const stream = fixture().dynamoDb.stream('main')
    const before = stream.latest
    for (let i = 0; i < 5; i++) await put({ ...key(pk, String(i)) })
    const first = await stream.read(before, 2)
    const last = first.at(-1)!.dynamodb.SequenceNumber
    const rest = await stream.read(last, 100)
    expect([...first, ...rest].map((record) => record.dynamodb.Keys.sk!.S)).toEqual(['0', '1', '2', '3', '4'])
    await stream.trim(last)
    expect((await stream.read(undefined, 100)).map((record) => record.eventID)).toEqual(
      rest.map((record) => record.eventID),
    )
  })

  test('serves the Streams API: list, describe, all iterator types, records', async () => {
    const { callStreams } = fixture()
    const pk = partition()
    const { Streams } = (await callStreams('ListStreams', { TableName: 'main' })) as {
      Streams: Array<{ StreamArn: string }>
    }
    const StreamArn = Streams[0]!.StreamArn
    const { StreamDescription } = (await callStreams('DescribeStream', { StreamArn })) as {
      StreamDescription: { StreamStatus: string; Shards: Array<{ ShardId: string }> }
    }
    expect(StreamDescription.StreamStatus).toBe('ENABLED')
    const { ShardId } = StreamDescription.Shards[0]!
    const iterator = async (ShardIteratorType: string, SequenceNumber?: string) =>
      (await callStreams('GetShardIterator', { StreamArn, ShardId, ShardIteratorType, SequenceNumber }))
        .ShardIterator as string
    type Answer = { Records: StreamRecord[]; NextShardIterator: string }
    const records = async (ShardIterator: string) =>
      (await callStreams('GetRecords', { ShardIterator })) as unknown as Answer

    const latest = await iterator('LATEST')
    await put(key(pk, 'a'))
    await put(key(pk, 'b'))
    const { Records, NextShardIterator } = await records(latest)
    expect(Records.map((record) => record.dynamodb.Keys.sk!.S)).toEqual(['a', 'b'])
    expect((await records(NextShardIterator)).Records).toEqual([])
    const sequence = Records[1]!.dynamodb.SequenceNumber
    expect((await records(await iterator('AT_SEQUENCE_NUMBER', sequence))).Records).toEqual([Records[1]])
    expect((await records(await iterator('AFTER_SEQUENCE_NUMBER', sequence))).Records).toEqual([])
    expect((await records(await iterator('TRIM_HORIZON'))).Records.at(-1)).toEqual(Records[1])
    await expect(callStreams('DescribeStream', { StreamArn: 'arn:none' })).rejects.toMatchObject({
      code: 'ResourceNotFoundException',
    })
    await expect(callStreams('GetRecords', { ShardIterator: 'nonsense' })).rejects.toMatchObject({
      code: 'ExpiredIteratorException',
    })
  })

  test('deletes expired items, as the service, and no others', async () => {
    const { client, dynamoDb, clock } = fixture()
    const TableName = 'slots'
    await client.send(
      new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' } }),
    )
    const nowSeconds = Math.floor(clock.now / 1000)
    const pk = partition()
    const putExpiring = (sk: string, expires: object) =>
      client.send(new PutItemCommand({ TableName, Item: { ...key(pk, sk), ...expires } }))
    await putExpiring('due', { expires: N(nowSeconds - 1), slot01p: S('p'), slot01s: S('s') })
    await putExpiring('later', { expires: N(nowSeconds + 3600) })
    await putExpiring('text', { expires: S(String(nowSeconds - 1)) })
    await putExpiring('ancient', { expires: N(nowSeconds - 6 * 365 * 24 * 3600) })
    await putExpiring('moved', { expires: N(nowSeconds - 1) })
    await putExpiring('moved', { expires: N(nowSeconds + 3600) })
    await putExpiring('never', {})
    const before = dynamoDb.stream(TableName).latest
    await client.send(new DeleteItemCommand({ TableName, Key: key(pk, 'never') }))

    expect(await dynamoDb.sweep()).toBe(1)
    const records = await dynamoDb.stream(TableName).read(before, 10)
    expect(
      records.map(({ eventName, userIdentity, dynamodb }) => [eventName, dynamodb.Keys.sk!.S, userIdentity]),
    ).toEqual([
      ['REMOVE', 'never', undefined],
      ['REMOVE', 'due', { type: 'Service', principalId: 'dynamodb.amazonaws.com' }],
    ])
    clock.now += 3_700_000
    expect(await dynamoDb.sweep()).toBe(2)
    const { Items } = (await dynamoDb.call('Query', {
      TableName,
      KeyConditionExpression: 'pk = :p',
      ExpressionAttributeValues: { ':p': S(pk) },
    })) as { Items: Array<Record<string, { S: string }>> }
    expect(Items.map((item) => item.sk!.S)).toEqual(['ancient', 'text'])
  })
}
