import { BatchGetItemCommand, BatchWriteItemCommand, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { expect, test } from 'vitest'
import type { Fixture } from './fixture.ts'
import { type Item, N, S, failure, key, operationsOn, partition } from './operations.ts'

const nested = (levels: number): Item[string] => (levels === 0 ? S('core') : { L: [nested(levels - 1)] })

/** Reading and writing single items and batches. */
export function itemCases(fixture: () => Fixture): void {
  const { put, get, update, remove } = operationsOn(fixture)

  const values: Array<[what: string, written: Item[string], read?: Item[string]]> = [
    ['text beyond the basic plane', S('héllo 🦊 \u0000 "quoted"')],
    ['an empty string', S('')],
    ['a number of 38 digits', N('12345678901234567890123456789012345678')],
    ['a number in its canonical form', N('0001.500'), N('1.5')],
    ['a tiny number', N('1e-100'), N(`0.${'0'.repeat(99)}1`)],
    ['a negative zero', N('-0.0'), N('0')],
    ['binary', { B: new Uint8Array([0, 1, 254, 255]) }],
    ['true, false and null', { L: [{ BOOL: true }, { BOOL: false }, { NULL: true }] }],
    ['sets', { M: { texts: { SS: ['a', 'b'] }, numbers: { NS: ['1', '2.5'] } } }],
    ['32 levels of nesting', nested(32)],
    ['mixed nesting', { M: { list: { L: [{ M: { name: S('x') } }, { L: [] }, { M: {} }] } } }],
    [
      'an attribute named like a member of Object',
      { M: { constructor: S('c'), toString: S('t'), hasOwnProperty: S('h') } },
    ],
  ]
  test.each(values)('keeps %s', async (_what, written, read = written) => {
    const id = key(partition())
    await put({ ...id, value: written })
    expect((await get(id))?.value).toEqual(read)
  })

  test('keeps an attribute named __proto__', async ({ skip }) => {
    skip(!('stream' in fixture().dynamoDb), 'the SDK itself loses it')
    const id = key(partition())
    const item = JSON.parse(`{"pk":{"S":"${id.pk!.S}"},"sk":{"S":"1"},"__proto__":{"S":"kept"}}`) as Item
    await fixture().dynamoDb.call('PutItem', { TableName: 'main', Item: item })
    const answer = JSON.stringify(await fixture().dynamoDb.call('GetItem', { TableName: 'main', Key: id }))
    expect(answer).toContain('"__proto__":{"S":"kept"}')
  })

  test('returns no item when there is none', async () => {
    expect(await get(key(partition()))).toBeUndefined()
  })

  test('distinguishes keys by case, accents and trailing blanks', async () => {
    const pk = partition()
    const names = ['a', 'A', 'á', 'a ', 'a/', 'a~']
    for (const name of names) await put({ ...key(pk, name), name: S(name) })
    for (const name of names) expect((await get(key(pk, name)))?.name?.S).toBe(name)
  })

  test('returns the old item of a put only on request', async () => {
    const id = key(partition())
    await put({ ...id, v: N(1) })
    expect((await put({ ...id, v: N(2) })).Attributes).toBeUndefined()
    expect((await put({ ...id, v: N(3) }, { ReturnValues: 'ALL_OLD' })).Attributes).toEqual({ ...id, v: N(2) })
  })

  test('deletes an item once, and returns it on request', async () => {
    const id = key(partition())
    await put({ ...id, v: N(1) })
    expect((await remove(id, { ReturnValues: 'ALL_OLD' })).Attributes).toEqual({ ...id, v: N(1) })
    expect((await remove(id, { ReturnValues: 'ALL_OLD' })).Attributes).toBeUndefined()
    expect(await get(id)).toBeUndefined()
  })

  test('projects top-level and nested attributes', async () => {
    const id = key(partition())
    await put({ ...id, name: S('n'), other: S('o'), map: { M: { steps: { L: [N(1), N(2), N(3)] } } } })
    const { Item } = await fixture().client.send(
      new GetItemCommand({
        TableName: 'main',
        Key: id,
        ProjectionExpression: '#n, #m.steps[1]',
        ExpressionAttributeNames: { '#n': 'name', '#m': 'map' },
      }),
    )
    expect(Item).toEqual({ name: S('n'), map: { M: { steps: { L: [N(2)] } } } })
  })

  test('returns the consumed capacity on request', async () => {
    const id = key(partition())
    const written = await put({ ...id, text: S('x'.repeat(3000)) }, { ReturnConsumedCapacity: 'TOTAL' })
    expect(written.ConsumedCapacity).toMatchObject({ TableName: 'main', CapacityUnits: 3 })
    const read = await fixture().client.send(
      new GetItemCommand({ TableName: 'main', Key: id, ReturnConsumedCapacity: 'TOTAL' }),
    )
    expect(read.ConsumedCapacity).toMatchObject({ CapacityUnits: 0.5 })
  })

  test('writes and reads in batches; missing items are left out', async () => {
    const pk = partition()
    await put(key(pk, 'goes'))
    const writes = Array.from({ length: 24 }, (_, i) => ({ PutRequest: { Item: { ...key(pk, String(i)), i: N(i) } } }))
    const written = await fixture().client.send(
      new BatchWriteItemCommand({
        RequestItems: { main: [...writes, { DeleteRequest: { Key: key(pk, 'goes') } }] },
      }),
    )
    expect(written.UnprocessedItems).toEqual({})
    const Keys = [...Array.from({ length: 24 }, (_, i) => key(pk, String(i))), key(pk, 'goes'), key(pk, 'never')]
    const read = await fixture().client.send(new BatchGetItemCommand({ RequestItems: { main: { Keys } } }))
    expect(read.UnprocessedKeys).toEqual({})
    expect(read.Responses!.main!.map((item) => Number(item.i!.N)).sort((a, b) => a - b)).toEqual([...Array(24).keys()])
  })

  test('a batch spans several tables', async () => {
    const pk = partition()
    await fixture().client.send(
      new BatchWriteItemCommand({
        RequestItems: { main: [{ PutRequest: { Item: key(pk) } }], plain: [{ PutRequest: { Item: { id: S(pk) } } }] },
      }),
    )
    const read = await fixture().client.send(
      new BatchGetItemCommand({
        RequestItems: { main: { Keys: [key(pk)] }, plain: { Keys: [{ id: S(pk) }], ProjectionExpression: 'id' } },
      }),
    )
    expect(read.Responses).toEqual({ main: [key(pk)], plain: [{ id: S(pk) }] })
  })

  test('returns what exceeds 16 MB as UnprocessedKeys', async () => {
    const pk = partition()
    const big = S('x'.repeat(395_000))
    for (let i = 0; i < 44; i++)
      await fixture().dynamoDb.call('PutItem', { TableName: 'main', Item: { ...key(pk, String(i)), big } })
    const Keys = Array.from({ length: 44 }, (_, i) => key(pk, String(i)))
    const read = await fixture().client.send(
      new BatchGetItemCommand({ RequestItems: { main: { Keys, ConsistentRead: true } } }),
    )
    const left = read.UnprocessedKeys!.main!
    expect(left.ConsistentRead).toBe(true)
    expect(left.Keys!.length).toBeGreaterThan(0)
    expect(read.Responses!.main!.length + left.Keys!.length).toBe(44)
  })

  test('rejects a batch that contains an item twice', async () => {
    const pk = partition()
    const error = await failure(
      fixture().client.send(
        new BatchWriteItemCommand({
          RequestItems: { main: [{ PutRequest: { Item: key(pk) } }, { DeleteRequest: { Key: key(pk) } }] },
        }),
      ),
    )
    expect(error).toMatchObject({
      name: 'ValidationException',
      message: 'Provided list of item keys contains duplicates',
    })
  })

  test('keeps items under binary and negative number keys', async () => {
    const raw = { B: new Uint8Array([255, 0, 7]) }
    for (const number of ['-10.5', '-2', '0', '3', '20']) {
      await fixture().client.send(
        new PutItemCommand({ TableName: 'odd-keys', Item: { raw, number: N(number), seen: S(number) } }),
      )
    }
    const { Item } = await fixture().client.send(
      new GetItemCommand({ TableName: 'odd-keys', Key: { raw, number: N('-10.50') } }),
    )
    expect(Item?.seen).toEqual(S('-10.5'))
  })

  test('counts the bytes of an item, names included, against 400 KB', async () => {
    const id = { pk: S('p'), sk: S('s') }
    // Attribute names and keys take 7 bytes: 2 + 1 for pk, 2 + 1 for sk, 1 for the name of the value.
    const room = 400 * 1024 - 7
    await put({ ...id, v: S('é'.repeat(Math.floor(room / 2))) })
    expect(await failure(put({ ...id, v: S('é'.repeat(room / 2 + 1)) }))).toMatchObject({
      name: 'ValidationException',
      message: 'Item size has exceeded the maximum allowed size',
    })
    expect(await failure(update(id, 'SET w = :w', { ':w': S('12') }))).toMatchObject({
      name: 'ValidationException',
      message: 'Item size to update has exceeded the maximum allowed size',
    })
  })

  test.each([
    ['partition key', (text: string) => key(text), 2048],
    ['sort key', (text: string) => key('p', text), 1024],
  ])('counts the bytes of a %s', async (_what, keyOf, bytes) => {
    await put(keyOf('é'.repeat(bytes / 2)))
    expect((await failure(put(keyOf('é'.repeat(bytes / 2 + 1))))).name).toBe('ValidationException')
    expect((await failure(get(keyOf('é'.repeat(bytes / 2 + 1))))).name).toBe('ValidationException')
  })

  test.each<[what: string, item: Item, message: RegExp]>([
    ['without its sort key', { pk: S('p') }, /Missing the key sk/],
    ['with a key of the wrong type', { pk: S('p'), sk: N(1) }, /Type mismatch for key sk expected: S actual: N/],
    ['with an empty key', { pk: S('p'), sk: S('') }, /cannot contain an empty string value. Key: sk/],
    [
      'with an index key of the wrong type',
      { ...key('p'), owner: N(1) },
      /Type mismatch for Index Key owner Expected: S Actual: N IndexName: by-owner/,
    ],
    [
      'with an empty index key',
      { ...key('p'), owner: S('') },
      /empty string value. IndexName: by-owner, IndexKey: owner/,
    ],
    ['with an index key that is too long', { ...key('p'), owner: S('é'.repeat(1025)) }, /Size of hashkey/],
    ['with an empty set', { ...key('p'), set: { SS: [] } }, /set  may not be empty/],
    ['with a set of duplicates', { ...key('p'), set: { SS: ['a', 'a'] } }, /contains duplicates/],
    ['with a number that is none', { ...key('p'), n: N('one') }, /cannot be converted to a numeric value: one/],
    ['with a number of 39 digits', { ...key('p'), n: N('1'.repeat(39)) }, /more than 38 significant digits/],
    [
      'nested more than 32 levels deep',
      { ...key('p'), deep: nested(34) },
      /Nesting Levels have exceeded supported limits/,
    ],
    ['with a number out of range', { ...key('p'), n: N('1e126') }, /Number overflow/],
  ])('rejects an item %s', async (_what, item, message) => {
    expect(await failure(put(item))).toMatchObject({
      name: 'ValidationException',
      message: expect.stringMatching(message) as string,
    })
  })

  test('does not change the input of a call', async () => {
    const input = {
      TableName: 'main',
      Item: { ...key(partition()), n: N('1.50'), unknown: undefined },
      Surplus: 1,
      ReturnValues: null,
    }
    const before = structuredClone(input)
    await fixture().dynamoDb.call('PutItem', input)
    await fixture().dynamoDb.call('TransactWriteItems', { TransactItems: [{ Put: input }] })
    expect(input).toEqual(before)
  })
}
