import { randomUUID } from 'node:crypto'
import { GetItemCommand, PutItemCommand, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { expect, test } from 'vitest'
import { eventually, maxReceives, type Message, visibilitySeconds, type World } from './world.ts'

/** Retries: what a message does that its consumer did not delete. */
export function queueCases(world: () => World): void {
  const countOf = ({ Attributes }: Message): number => Number(Attributes.ApproximateReceiveCount)

  /** Receives until one of the bodies is there; what else arrives is deleted. */
  async function take(kind: 'standard' | 'ordered', ...bodies: string[]): Promise<Message> {
    const queue = world().queue(kind)
    const ask = async (): Promise<Message | undefined> => {
      let found: Message | undefined
      for (const message of await queue.receive())
        if (found === undefined && bodies.includes(message.Body)) found = message
        else if (!bodies.includes(message.Body)) await queue.delete(message)
      return found
    }
    return (await eventually(world(), ask, (found) => found !== undefined)) as Message
  }

  test('a message that is not deleted comes back after its visibility timeout, counted', async () => {
    const body = randomUUID()
    const queue = world().queue('ordered')
    await queue.send(body, body)
    expect(countOf(await take('ordered', body))).toBe(1)
    expect(await queue.receive()).toEqual([])
    await world().pass(visibilitySeconds * 1000 + 100)
    const again = await take('ordered', body)
    expect(countOf(again)).toBe(2)
    await queue.delete(again)
    await world().pass(visibilitySeconds * 1000 + 100)
    expect(await queue.receive()).toEqual([])
  })

  test.each(['standard', 'ordered'] as const)(
    'a message of a %s queue whose visibility is set to 0 is back at once',
    async (kind) => {
      const body = randomUUID()
      const queue = world().queue(kind)
      await queue.send(body, kind === 'ordered' ? body : undefined)
      const first = await take(kind, body)
      await queue.hide(first, 0)
      const second = await take(kind, body)
      expect(countOf(second)).toBeGreaterThanOrEqual(2)
      await queue.delete(second)
    },
  )

  test.each(['standard', 'ordered'] as const)(
    'the last receive of a message of a %s queue is followed by the dead-letter queue',
    async (kind) => {
      const body = randomUUID()
      const queue = world().queue(kind)
      await queue.send(body, kind === 'ordered' ? body : undefined)
      const isDead = async (): Promise<boolean> => {
        for (const message of await queue.receive()) expect(countOf(message)).toBeLessThanOrEqual(maxReceives)
        await world().pass(visibilitySeconds * 1000 + 100)
        return (await queue.deadLetters()).some((message) => message.Body === body)
      }
      await eventually(world(), isDead, Boolean)
    },
  )

  test('everything that was sent to a standard queue arrives, in any order, each at least once', async () => {
    const sent = new Set(Array.from({ length: 20 }, () => randomUUID()))
    const queue = world().queue('standard')
    for (const body of sent) await queue.send(body)
    const missing = new Set<string>(sent)
    const ask = async (): Promise<number> => {
      for (const message of await queue.receive()) {
        missing.delete(message.Body)
        await queue.delete(message)
      }
      return missing.size
    }
    expect(await eventually(world(), ask, (left) => left === 0)).toBe(0)
  })

  test('a failed message of a group is before the later ones, and holds up no other group', async () => {
    const [group, other] = [randomUUID(), randomUUID()]
    const queue = world().queue('ordered')
    for (const n of [1, 2]) await queue.send(`${group}/${n}`, group)
    const failed = await take('ordered', `${group}/1`, `${group}/2`)
    expect(failed.Body).toBe(`${group}/1`)
    await queue.send(`${other}/1`, other)
    const free = await take('ordered', `${other}/1`, `${group}/1`, `${group}/2`)
    expect(free.Body).toBe(`${other}/1`)
    await queue.delete(free)
    await world().pass(visibilitySeconds * 1000 + 100)
    for (const n of [1, 2]) {
      const next = await take('ordered', `${group}/1`, `${group}/2`)
      expect(next.Body).toBe(`${group}/${n}`)
      await queue.delete(next)
      await world().pass(visibilitySeconds * 1000 + 100)
    }
  })
}

/** Streams and copies that lag. */
export function tableCases(world: () => World): void {
  const put = (pk: string, more: object = {}) =>
    world().client.send(
      new PutItemCommand({
        TableName: world().tableName,
        Item: { pk: { S: pk }, sk: { S: '1' }, v: { N: '1' }, ...more },
      }),
    )

  test('the changes of an item are in the stream in their order, each once, with both images', async () => {
    const items: readonly string[] = Array.from({ length: 5 }, () => randomUUID())
    await Promise.all(items.map((pk) => put(pk)))
    for (let version = 2; version <= 6; version += 1)
      await Promise.all(
        items.map((pk) =>
          world().client.send(
            new UpdateItemCommand({
              TableName: world().tableName,
              Key: { pk: { S: pk }, sk: { S: '1' } },
              UpdateExpression: 'SET v = v + :one',
              ExpressionAttributeValues: { ':one': { N: '1' } },
            }),
          ),
        ),
      )
    const ours = async () => (await world().changes()).filter(({ dynamodb }) => items.includes(dynamodb.Keys.pk.S))
    const changes = await eventually(world(), ours, (found) => found.length >= items.length * 6)
    expect(changes.length).toBe(items.length * 6)
    for (const pk of items) {
      const own = changes.filter(({ dynamodb }) => dynamodb.Keys.pk.S === pk)
      expect(own.map(({ eventName }) => eventName)).toEqual(['INSERT', ...Array<string>(5).fill('MODIFY')])
      expect(own.map(({ dynamodb }) => [dynamodb.OldImage?.v.N, dynamodb.NewImage?.v.N])).toEqual(
        [1, 2, 3, 4, 5, 6].map((n) => [n === 1 ? undefined : String(n - 1), String(n)]),
      )
    }
  })

  test('an index has every write after a moment, and answers no consistent read', async () => {
    const owner = randomUUID()
    const names = Array.from({ length: 20 }, (_, n) => `s${String(n).padStart(2, '0')}`)
    await Promise.all(names.map((name) => put(randomUUID(), { slot01p: { S: owner }, slot01s: { S: name } })))
    const query = (more: object = {}) =>
      world().client.send(
        new QueryCommand({
          TableName: world().tableName,
          IndexName: 'slot01',
          KeyConditionExpression: 'slot01p = :o',
          ExpressionAttributeValues: { ':o': { S: owner } },
          ...more,
        }),
      )
    const found = async () => ((await query()).Items ?? []).map(({ slot01s }) => slot01s?.S)
    // Whatever is there already is in the order of its key.
    const early = await found()
    expect(early).toEqual(early.toSorted())
    expect(await eventually(world(), found, ({ length }) => length === names.length)).toEqual(names)
    await expect(query({ ConsistentRead: true })).rejects.toMatchObject({ name: 'ValidationException' })
  })

  test('a consistent read has what was written; another one has it, or what was there before', async () => {
    const pk = randomUUID()
    await put(pk)
    await world().pass(2_000)
    for (let version = 2; version <= 20; version += 1) {
      await put(pk, { v: { N: String(version) } })
      const read = async (ConsistentRead: boolean): Promise<number> => {
        const Key = { pk: { S: pk }, sk: { S: '1' } }
        const { Item } = await world().client.send(
          new GetItemCommand({ TableName: world().tableName, Key, ConsistentRead }),
        )
        return Number(Item?.v?.N)
      }
      expect(await read(true)).toBe(version)
      const seen = await read(false)
      expect(seen).toBeGreaterThanOrEqual(1)
      expect(seen).toBeLessThanOrEqual(version)
    }
  })
}
