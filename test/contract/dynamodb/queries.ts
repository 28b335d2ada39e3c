import { PutItemCommand, QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { beforeAll, expect, test } from 'vitest'
import type { Fixture } from './fixture.ts'
import { type Item, N, S, failure, key, operationsOn, partition, sortKeys } from './operations.ts'

/** Query and Scan, on the table and its indexes. */
export function queryCases(fixture: () => Fixture): void {
  const { put, update, remove, query } = operationsOn(fixture)
  const pk = partition()
  const owner = S(`owner-${pk}`)
  const named = (i: number): string => `S#${String(i).padStart(2, '0')}`

  beforeAll(async () => {
    for (let i = 0; i < 20; i++) {
      await put({
        ...key(pk, named(i)),
        n: N(i),
        owner,
        at: S(String(99 - i)),
        queue: owner,
        due: N(i - 10),
        rank: N(100 - i),
        email: S(`${pk}-${i % 2}`),
        name: S('x'),
      })
    }
  })

  const range = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, i) => named(from + i))
  test.each<[condition: string, values: Item, found: string[]]>([
    ['sk = :a', { ':a': S(named(3)) }, range(3, 3)],
    ['sk < :a', { ':a': S(named(3)) }, range(0, 2)],
    ['sk <= :a', { ':a': S(named(3)) }, range(0, 3)],
    ['sk > :a', { ':a': S(named(17)) }, range(18, 19)],
    ['sk >= :a', { ':a': S(named(17)) }, range(17, 19)],
    ['sk BETWEEN :a AND :b', { ':a': S(named(5)), ':b': S(named(8)) }, range(5, 8)],
    ['begins_with(sk, :a)', { ':a': S('S#1') }, range(10, 19)],
  ])('finds by %s, in order and in reverse', async (condition, values, found) => {
    const expression = `pk = :p AND ${condition}`
    expect(sortKeys(await query(expression, { ':p': S(pk), ...values }))).toEqual(found)
    expect(sortKeys(await query(expression, { ':p': S(pk), ...values }, { ScanIndexForward: false }))).toEqual(
      found.toReversed(),
    )
  })

  test('filters after reading, and returns both counts', async () => {
    const answer = await query('pk = :p', { ':p': S(pk), ':n': N(15) }, { FilterExpression: 'n >= :n', Limit: 18 })
    expect([answer.Count, answer.ScannedCount, sortKeys(answer)]).toEqual([3, 18, range(15, 17)])
    expect(answer.LastEvaluatedKey).toEqual(key(pk, named(17)))
  })

  test('counts without returning items', async () => {
    const answer = await query('pk = :p', { ':p': S(pk) }, { Select: 'COUNT' })
    expect(answer).toMatchObject({ Count: 20, ScannedCount: 20 })
    expect(answer.Items).toBeUndefined()
  })

  test.each<
    [
      what: string,
      more: Partial<ConstructorParameters<typeof QueryCommand>[0]>,
      condition: string,
      partitionKey: () => Item[string],
    ]
  >([
    ['the table', {}, 'pk = :p', () => S(pk)],
    ['a global index', { IndexName: 'by-owner' }, '#o = :p', () => owner],
    ['a global index with number keys', { IndexName: 'by-due' }, 'queue = :p', () => owner],
    ['a local index', { IndexName: 'by-rank' }, 'pk = :p', () => S(pk)],
    ['entries of equal index keys', { IndexName: 'by-email' }, 'email = :p', () => S(`${pk}-1`)],
  ])('pages through %s in both directions, every item once', async (_what, more, condition, partitionKey) => {
    for (const ScanIndexForward of [true, false]) {
      const whole = sortKeys(
        await query(condition, { ':p': partitionKey() }, { ...more, ...names(condition), ScanIndexForward }),
      )
      const paged: Array<string | undefined> = []
      let start: Item | undefined
      do {
        const page = await query(
          condition,
          { ':p': partitionKey() },
          { ...more, ...names(condition), ScanIndexForward, Limit: 3, ExclusiveStartKey: start },
        )
        paged.push(...sortKeys(page))
        start = page.LastEvaluatedKey
      } while (start)
      expect(paged).toEqual(whole)
      expect(new Set(whole).size).toBe(more.IndexName === 'by-email' ? 10 : 20)
    }
  })

  test('orders an index by its own sort key, numbers by value', async () => {
    const owned = await query('#o = :p', { ':p': owner }, { IndexName: 'by-owner', ...names('#o'), Limit: 2 })
    expect(sortKeys(owned)).toEqual([named(19), named(18)])
    expect(Object.keys(owned.LastEvaluatedKey!).sort()).toEqual(['at', 'owner', 'pk', 'sk'])
    const due = await query(
      'queue = :p AND due BETWEEN :a AND :b',
      { ':p': owner, ':a': N(-2), ':b': N(1) },
      { IndexName: 'by-due' },
    )
    expect(due.Items!.map((item) => item.due!.N)).toEqual(['-2', '-1', '0', '1'])
    expect(Object.keys(due.Items![0]!).sort()).toEqual(['due', 'pk', 'queue', 'sk'])
  })

  test('an INCLUDE index holds the named attributes and follows them', async () => {
    const id = key(partition())
    await put({ ...id, email: S(id.pk!.S!), name: S('before'), other: S('o') })
    await update(id, 'SET #n = :n', { ':n': S('after') }, { ExpressionAttributeNames: { '#n': 'name' } })
    const { Items } = await query('email = :e', { ':e': id.pk! }, { IndexName: 'by-email' })
    expect(Items).toEqual([{ ...id, email: id.pk, name: S('after') }])
  })

  test('a local index returns whole items on request', async () => {
    const { Items } = await query(
      'pk = :p AND #r = :r',
      { ':p': S(pk), ':r': N(97) },
      {
        IndexName: 'by-rank',
        Select: 'ALL_ATTRIBUTES',
        ExpressionAttributeNames: { '#r': 'rank' },
      },
    )
    expect(Items).toMatchObject([{ sk: S(named(3)), name: S('x') }])
  })

  test('index entries are added, moved and removed with the attributes of the item', async () => {
    const id = key(partition())
    const found = async (who: string) =>
      sortKeys(await query('#o = :p', { ':p': S(who + id.pk!.S) }, { IndexName: 'by-owner', ...names('#o') }))
    await put({ ...id, owner: S(`ann${id.pk!.S}`) })
    expect(await found('ann')).toEqual([])
    await update(id, 'SET #at = :at', { ':at': S('now') }, { ExpressionAttributeNames: { '#at': 'at' } })
    expect(await found('ann')).toEqual(['1'])
    await update(id, 'SET #o = :o', { ':o': S(`bob${id.pk!.S}`) }, names('#o'))
    expect([await found('ann'), await found('bob')]).toEqual([[], ['1']])
    await remove(id)
    expect(await found('bob')).toEqual([])
  })

  test('keeps thousands of entries with the same index key', async () => {
    const same = S(`same-${pk}`)
    const { dynamoDb } = fixture()
    await Promise.all(
      Array.from({ length: 8000 }, (_, i) =>
        dynamoDb.call('PutItem', {
          TableName: 'main',
          Item: { ...key(`${pk}-${i}`), queue: same, due: N(1) },
        }),
      ),
    )
    const answer = await dynamoDb.call('Query', {
      TableName: 'main',
      IndexName: 'by-due',
      Select: 'COUNT',
      KeyConditionExpression: 'queue = :q',
      ExpressionAttributeValues: { ':q': same },
    })
    expect(answer).toMatchObject({ Count: 8000 })
  })

  test('ends a page at 1 MB', async () => {
    const large = partition()
    for (let i = 0; i < 8; i++) await put({ ...key(large, String(i)), text: S('x'.repeat(300 * 1024)) })
    const pages: number[] = []
    let start: Item | undefined
    do {
      const page = await query('pk = :p', { ':p': S(large) }, { ExclusiveStartKey: start })
      pages.push(page.Count!)
      start = page.LastEvaluatedKey
    } while (start)
    expect(pages).toEqual([4, 4, 0])
  })

  test('scans every item once: at once, in pages and in segments', async () => {
    const { client } = fixture()
    for (let i = 0; i < 30; i++)
      await client.send(new PutItemCommand({ TableName: 'plain', Item: { id: S(`scan-${i}`) } }))
    const scan = async (more: object): Promise<string[]> => {
      const ids: string[] = []
      let start: Item | undefined
      do {
        const page = await client.send(
          new ScanCommand({
            TableName: 'plain',
            FilterExpression: 'begins_with(id, :s)',
            ExpressionAttributeValues: { ':s': S('scan-') },
            ExclusiveStartKey: start,
            ...more,
          }),
        )
        ids.push(...page.Items!.map((item) => item.id!.S!))
        start = page.LastEvaluatedKey
      } while (start)
      return ids
    }
    const whole = await scan({})
    expect(new Set(whole).size).toBe(30)
    expect(await scan({ Limit: 7 })).toEqual(whole)
    const segments = await Promise.all([0, 1, 2].map((Segment) => scan({ Segment, TotalSegments: 3 })))
    expect(segments.flat()).toEqual(whole)
  })

  test('scans an index', async () => {
    const { Items } = await fixture().client.send(
      new ScanCommand({
        TableName: 'main',
        IndexName: 'by-email',
        FilterExpression: 'pk = :p',
        ExpressionAttributeValues: { ':p': S(pk) },
      }),
    )
    expect(Items).toHaveLength(20)
  })

  test.each<[what: string, condition: string, values: Item, more: object, message: RegExp]>([
    ['without a partition', 'sk = :a', { ':a': S('a') }, {}, /Query condition missed key schema element: pk/],
    [
      'by another attribute',
      'pk = :p AND n = :a',
      { ':p': S('p'), ':a': N(1) },
      {},
      /Query condition missed key schema element: sk/,
    ],
    [
      'of an index that is not there',
      'pk = :p',
      { ':p': S('p') },
      { IndexName: 'by-nothing' },
      /does not have the specified index: by-nothing/,
    ],
    [
      'of a global index, consistently',
      'queue = :p',
      { ':p': S('p') },
      { IndexName: 'by-due', ConsistentRead: true },
      /Consistent reads are not supported/,
    ],
    [
      'that filters by a key',
      'pk = :p',
      { ':p': S('p'), ':a': S('a') },
      { FilterExpression: 'sk = :a' },
      /Filter Expression can only contain non-primary key attributes/,
    ],
    [
      'from a start key of another shape',
      'pk = :p',
      { ':p': S('p') },
      { ExclusiveStartKey: { pk: S('p') } },
      /starting key is invalid/,
    ],
    [
      'whose bounds are reversed',
      'pk = :p AND sk BETWEEN :b AND :a',
      { ':p': S('p'), ':a': S('a'), ':b': S('b') },
      {},
      /upper bound to be greater/,
    ],
  ])('rejects a query %s', async (_what, condition, values, more, message) => {
    expect(await failure(query(condition, values, more))).toMatchObject({
      name: 'ValidationException',
      message: expect.stringMatching(message) as string,
    })
  })

  test('checks the bounds of BETWEEN even when the expression is cached', async () => {
    const empty = S(partition())
    const between = (a: string, b: string) =>
      query('pk = :p AND sk BETWEEN :first AND :last', { ':p': empty, ':first': S(a), ':last': S(b) })
    for (const [a, b] of [
      ['a', 'b'],
      ['a', 'a'],
      ['a', '\u{1F98A}'],
    ] as const)
      expect((await between(a, b)).Items).toEqual([])
    expect(await failure(between('b', 'a'))).toMatchObject({
      name: 'ValidationException',
      message: expect.stringMatching(/upper bound to be greater/) as string,
    })
    // In UTF-8, an astral character sorts after the private use area.
    expect((await between('\uE000', '\u{1F98A}')).Items).toEqual([])
    expect(await failure(between('\u{1F98A}', '\uE000'))).toMatchObject({ name: 'ValidationException' })
  })

  test.each<[what: string, value: string]>([
    ['plain', 'a'],
    ['with quotes and backslashes', 'a"b\\c\\"d\\'],
    ['that look like the entry they stand in', '"sk":{"S":"wrong"},"slot01s":{"S":"wrong"}'],
    ['of other alphabets, with line breaks and nulls', 'ä€\u{1F98A}\n\u2028\u0000'],
  ])('returns the keys of an index %s as they were put, together or alone', async (_what, value) => {
    const id = { pk: S(`${partition()}${value}`), sk: S(`sk${value}`) }
    const entry = { ...id, slot01p: S(`${id.pk.S}p`), slot01s: S(`s${value}`) }
    await fixture().client.send(new PutItemCommand({ TableName: 'slots', Item: { ...entry, note: S('x') } }))
    const asked = async (ProjectionExpression?: string) => {
      const command = new QueryCommand({
        TableName: 'slots',
        IndexName: 'slot01',
        KeyConditionExpression: 'slot01p = :p',
        ExpressionAttributeValues: { ':p': entry.slot01p },
        ProjectionExpression,
      })
      return (await fixture().client.send(command)).Items
    }
    expect(await asked()).toEqual([entry])
    expect(await asked('sk')).toEqual([{ sk: entry.sk }])
    expect(await asked('sk, slot01s')).toEqual([{ sk: entry.sk, slot01s: entry.slot01s }])
    expect(await asked('slot01p, pk')).toEqual([{ slot01p: entry.slot01p, pk: entry.pk }])
  })

  test('a read sees every answered write, in the item and in the index', async () => {
    const id = key(partition())
    const who = S(`reader-${id.pk!.S}`)
    for (let i = 0; i < 20; i++) {
      await update(
        id,
        'SET #o = :o, #at = :at',
        { ':o': who, ':at': S(String(i)) },
        { ExpressionAttributeNames: { '#o': 'owner', '#at': 'at' } },
      )
      const { Items } = await query('#o = :p', { ':p': who }, { IndexName: 'by-owner', ...names('#o') })
      expect(Items!.map((item) => item.at!.S)).toEqual([String(i)])
    }
  })
}

const names = (condition: string) => (condition.includes('#o') ? { ExpressionAttributeNames: { '#o': 'owner' } } : {})
