import { expect, test } from 'vitest'
import type { Fixture } from './fixture.ts'
import { type Item, N, S, failure, key, operationsOn, partition } from './operations.ts'

const list = (...numbers: number[]): Item[string] => ({ L: numbers.map(N) })

/** Update and condition expressions. */
export function updateCases(fixture: () => Fixture): void {
  const { put, get, update, remove } = operationsOn(fixture)

  test.each<[what: string, before: Item, expression: string, values: Item, after: Item]>([
    ['sets an attribute', {}, 'SET a = :v', { ':v': S('x') }, { a: S('x') }],
    [
      'sets only what is missing',
      { a: N(1) },
      'SET a = if_not_exists(a, :v), b = if_not_exists(b, :v)',
      { ':v': N(9) },
      { a: N(1), b: N(9) },
    ],
    [
      'adds and subtracts',
      { a: N(10), b: N('0.1') },
      'SET a = a - :v, b = b + :w',
      { ':v': N(3), ':w': N('0.2') },
      { a: N(7), b: N('0.3') },
    ],
    ['adds to a missing number', {}, 'ADD a :v', { ':v': N(5) }, { a: N(5) }],
    [
      'adds to and deletes from sets',
      { a: { SS: ['x', 'y'] }, b: { NS: ['1'] } },
      'ADD a :a DELETE b :b',
      { ':a': { SS: ['y', 'z'] }, ':b': { NS: ['1'] } },
      { a: { SS: ['x', 'y', 'z'] } },
    ],
    [
      'appends to lists',
      { a: list(1) },
      'SET a = list_append(a, :v), b = list_append(:v, a)',
      { ':v': list(2) },
      { a: list(1, 2), b: list(2, 1) },
    ],
    ['removes attributes', { a: N(1), b: N(2) }, 'REMOVE a, c', {}, { b: N(2) }],
    [
      'removes list elements by their old positions',
      { a: list(0, 1, 2, 3) },
      'REMOVE a[0], a[2]',
      {},
      { a: list(1, 3) },
    ],
    [
      'sets a list element and one past the end',
      { a: list(0, 1) },
      'SET a[0] = :v, a[9] = :v',
      { ':v': N(7) },
      { a: list(7, 1, 7) },
    ],
    [
      'sets inside maps',
      { a: { M: { b: { M: {} } } } },
      'SET a.b.c = :v',
      { ':v': S('deep') },
      { a: { M: { b: { M: { c: S('deep') } } } } },
    ],
    ['copies one attribute to another, as it was', { a: N(1), b: N(2) }, 'SET a = b, b = a', {}, { a: N(2), b: N(1) }],
  ])('%s', async (_what, before, expression, values, after) => {
    const id = key(partition())
    await put({ ...id, ...before })
    await update(id, expression, Object.keys(values).length > 0 ? values : undefined)
    expect(await get(id)).toEqual({ ...id, ...after })
  })

  test('an update creates a missing item', async () => {
    const id = key(partition())
    await update(id, 'SET a = :v', { ':v': N(1) })
    expect(await get(id)).toEqual({ ...id, a: N(1) })
  })

  test.each([
    ['ALL_OLD', { a: N(1), b: N(1) }],
    ['ALL_NEW', { a: N(2), b: N(1) }],
    ['UPDATED_OLD', { a: N(1) }],
    ['UPDATED_NEW', { a: N(2) }],
  ] as const)('returns %s', async (ReturnValues, expected) => {
    const id = key(partition())
    await put({ ...id, a: N(1), b: N(1) })
    const { Attributes } = await update(id, 'SET a = a + :v', { ':v': N(1) }, { ReturnValues })
    expect(Attributes).toEqual(ReturnValues.startsWith('ALL') ? { ...id, ...expected } : expected)
  })

  test.each<[what: string, expression: string, values: Item, message: RegExp]>([
    [
      'of a key attribute',
      'SET sk = :v',
      { ':v': S('x') },
      /Cannot update attribute sk. This attribute is part of the key/,
    ],
    ['to an index key of the wrong type', 'SET #owner = :v', { ':v': N(1) }, /Type mismatch for Index Key owner/],
    ['that adds text', 'SET a = a + :v', { ':v': S('x') }, /Incorrect operand type/],
    ['whose paths overlap', 'SET a = :v, a.b = :v', { ':v': S('x') }, /Two document paths overlap/],
    [
      'of a path that leads nowhere',
      'SET absent.b = :v',
      { ':v': S('x') },
      /document path provided in the update expression is invalid/,
    ],
    ['that does not parse', 'SET a == :v', { ':v': S('x') }, /Invalid UpdateExpression: Syntax error/],
    ['with an unused value', 'SET a = :v', { ':v': S('x'), ':w': S('y') }, /unused in expressions: keys: {:w}/],
    ['with a reserved word', 'SET status = :v', { ':v': S('x') }, /reserved keyword: status/],
  ])('rejects an update %s', async (_what, expression, values, message) => {
    const names = expression.includes('#owner') ? { ExpressionAttributeNames: { '#owner': 'owner' } } : {}
    // Twice: the second time the expression comes from the cache.
    for (let i = 0; i < 2; i++) {
      const error = await failure(update(key(partition()), expression, values, names))
      expect(error).toMatchObject({ name: 'ValidationException', message: expect.stringMatching(message) as string })
    }
  })

  const item: Item = {
    n: N('10'),
    text: S('hello'),
    flag: { BOOL: true },
    set: { SS: ['a', 'b'] },
    list: { L: [S('x'), { M: { deep: N(1) } }] },
    map: { M: { deep: N(1) } },
    big: N('12345678901234567890'),
    bytes: { B: new Uint8Array([1, 2, 3]) },
  }
  test.each<[condition: string, holds: boolean, values?: Item]>([
    ['attribute_exists(n) AND attribute_not_exists(nothing)', true],
    ['n = :v', true, { ':v': N('10.0') }],
    ['n <> :v', false, { ':v': N('10') }],
    ['nothing <> :v', true, { ':v': N('10') }],
    ['nothing = absent', false],
    ['n BETWEEN :a AND :b', true, { ':a': N('9.99'), ':b': N('10') }],
    ['n IN (:a, :b)', true, { ':a': N(9), ':b': N(10) }],
    ['big > :v', true, { ':v': N('12345678901234567889') }],
    ['big = :v', false, { ':v': N('12345678901234567891') }],
    ['#text < :v', false, { ':v': N(1) }],
    ['#text < :v', true, { ':v': S('hellp') }],
    ['begins_with(#text, :v)', true, { ':v': S('hell') }],
    ['contains(#text, :v)', true, { ':v': S('ell') }],
    ['contains(#set, :v)', true, { ':v': S('b') }],
    ['contains(#list, :v)', true, { ':v': { M: { deep: N(1) } } }],
    ['#set = :v', true, { ':v': { SS: ['b', 'a'] } }],
    ['#map = :v', true, { ':v': { M: { deep: N(1) } } }],
    ['#list = :v', false, { ':v': { L: [{ M: { deep: N(1) } }, S('x')] } }],
    ['size(#text) = :v AND size(#set) < :v', true, { ':v': N(5) }],
    ['attribute_type(n, :v)', true, { ':v': S('N') }],
    ['#map.deep = :v AND #list[1].deep = :v', true, { ':v': N(1) }],
    ['NOT (flag = :v) OR bytes = :w', true, { ':v': { BOOL: true }, ':w': { B: new Uint8Array([1, 2, 3]) } }],
  ])('evaluates the condition %s to %s', async (condition, holds, values) => {
    const id = key(partition())
    await put({ ...id, ...item })
    const names = Object.fromEntries([...new Set(condition.match(/#\w+/g))].map((name) => [name, name.slice(1)]))
    const judged = remove(id, {
      ConditionExpression: condition,
      ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
      ...(values && { ExpressionAttributeValues: values }),
    })
    const outcome = await judged.then(
      () => 'holds',
      (error: Error) => error.name,
    )
    expect(outcome).toBe(holds ? 'holds' : 'ConditionalCheckFailedException')
  })

  test('orders text by its bytes, not by UTF-16 code units', async () => {
    const id = key(partition())
    await put({ ...id, text: S('\u{1F98A}') })
    const greater = {
      ConditionExpression: '#t > :v',
      ExpressionAttributeNames: { '#t': 'text' },
      ExpressionAttributeValues: { ':v': S('\uFF5E') },
    }
    await remove(id, greater)
  })

  const failing = { ConditionExpression: 'v = :expected', ExpressionAttributeValues: { ':expected': N(99) } }
  const conditional: Array<[what: string, run: (id: Item, more: object) => Promise<unknown>]> = [
    ['put', (id, more) => put({ ...id, v: N(2) }, { ...failing, ...more })],
    [
      'update',
      (id, more) =>
        update(id, 'SET v = :expected', failing.ExpressionAttributeValues, {
          ConditionExpression: 'v = :expected',
          ...more,
        }),
    ],
    ['delete', (id, more) => remove(id, { ...failing, ...more })],
  ]
  test.each(conditional)(
    'a failed condition of a %s changes nothing and returns the item only on request',
    async (_what, run) => {
      const id = key(partition())
      await put({ ...id, v: N(1) })
      const plain = await failure(run(id, {}))
      expect(plain).toMatchObject({
        name: 'ConditionalCheckFailedException',
        message: 'The conditional request failed',
      })
      expect(plain.Item).toBeUndefined()
      expect((await failure(run(id, { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }))).Item).toEqual({
        ...id,
        v: N(1),
      })
      expect(await get(id)).toEqual({ ...id, v: N(1) })
    },
  )

  test('a cached expression works with other values', async () => {
    const id = key(partition())
    for (const value of [S('a'), N(1), { L: [S('b')] }, { BOOL: true }, S('c')]) {
      await update(id, 'SET a = :v, b = :v', { ':v': value })
      expect(await get(id)).toEqual({ ...id, a: value, b: value })
    }
  })
}
