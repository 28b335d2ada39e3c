import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import type { LocalCloud } from '../../../../../../infra/local/runtime/local-cloud.ts'
import { streamed } from '../../../../../make/services/tiny-consumer.ts'

const aws = { timing: 'aws', seed: 4 } as const

const putterTo = (cloud: LocalCloud) => {
  const client = new DynamoDBClient(cloud.clientOptions('dynamodb'))
  return (partition: string, name: string) => {
    const Item = { pk: { S: partition }, sk: { S: name }, kind: { S: 'thing' } }
    return client.send(new PutItemCommand({ TableName: 'Table', Item }))
  }
}

describe("a stream in AWS's time", () => {
  it('delivers all changes, in order for a partition key and in different times for several', async () => {
    const { consumer, cloud } = await streamed({ BatchSize: 4 }, {}, aws)
    const put = putterTo(cloud)
    const written: string[] = []
    for (let n = 0; n < 15; n++) {
      for (const partition of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
        await put(partition, `${partition}-${String(n).padStart(2, '0')}`)
        written.push(`${partition}-${String(n).padStart(2, '0')}`)
      }
    }
    expect(consumer.batches).toEqual([])
    const before = cloud.now()
    await cloud.advance(4_500)
    const soon = consumer.batches.flat()
    expect(soon.length).toBeGreaterThan(0)
    expect(soon.length).toBeLessThan(written.length)
    await cloud.idle()
    expect(cloud.now() - before).toBeLessThan(25_000)
    const delivered = consumer.batches.flat()
    expect(delivered.toSorted()).toEqual(written.toSorted())
    for (const partition of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
      const own = delivered.filter((name) => name.startsWith(partition))
      expect(own).toEqual(own.toSorted())
    }
    expect(delivered).not.toEqual(written)
  })

  it('repeats a failed batch with back-off, while other shards go on', async () => {
    const { consumer, cloud } = await streamed({}, {}, aws)
    const put = putterTo(cloud)
    consumer.failing.add('a-0')
    for (const partition of ['a', 'b', 'c', 'd', 'e', 'f']) await put(partition, `${partition}-0`)
    await cloud.advance(25_000)
    const attempts = consumer.batches.filter((batch) => batch.includes('a-0')).length
    expect(attempts).toBeGreaterThan(2)
    // 1, 2, 4, 8 and 16 s: at 50 ms and upwards there would be nine.
    expect(attempts).toBeLessThan(7)
    expect(new Set(consumer.batches.flat()).size).toBeGreaterThan(2)
    consumer.failing.clear()
    await cloud.idle()
    expect(new Set(consumer.batches.flat()).size).toBe(6)
  })

  it('continues after a restart where its slowest shard was', async () => {
    const { consumer, cloud } = await streamed({}, {}, { ...aws, onDisk: true })
    const put = putterTo(cloud)
    for (let n = 0; n < 5; n++) await put(`p${n}`, `first-${n}`)
    await cloud.idle()
    for (let n = 0; n < 5; n++) await put(`p${n}`, `second-${n}`)
    await cloud.advance(3_000)
    const restarted = await cloud.restart()
    await restarted.idle()
    const delivered = consumer.batches.flat()
    for (let n = 0; n < 5; n++) expect(delivered).toContain(`second-${n}`)
    expect(delivered.filter((name) => name.startsWith('first'))).toHaveLength(5)
  })

  it('waits for the batching window in its own time', async () => {
    const { consumer, cloud } = await streamed({ MaximumBatchingWindowInSeconds: 60 }, {}, aws)
    const put = putterTo(cloud)
    await put('a', 'a-0')
    await cloud.advance(20_000)
    await put('a', 'a-1')
    await cloud.idle()
    expect(consumer.batches).toEqual([['a-0', 'a-1']])
  })
})
