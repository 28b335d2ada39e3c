import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Item as StoredItem } from '../../../infra/local/dynamodb/items/attribute-value.ts'
import type { DynamoDb } from '../../../infra/local/dynamodb/open.ts'
import { runs } from '../../make/depth.ts'
import { run } from './directory.ts'
import { type Item, N, S, key } from './operations.ts'
import { mainTable } from './tables.ts'

const TableName = 'main'
const owners = ['ann', 'bob', 'ann/'] as const

type Action =
  | { kind: 'put' | 'put if new'; id: number; attributes: Item }
  | { kind: 'set'; id: number; attributes: Item }
  | { kind: 'remove attributes' | 'delete' | 'delete if owned'; id: number }
  | { kind: 'move'; id: number; to: number }

const id = fc.integer({ min: 0, max: 5 })
const attributes = fc.record(
  {
    owner: fc.constantFrom(...owners).map(S),
    at: fc
      .constantFrom('', '1', '10', '2', 'é', '\u{1F98A}')
      .filter((at) => at !== '')
      .map(S),
    due: fc.oneof(fc.integer({ min: -1000, max: 1000 }), fc.constantFrom(0.5, -0.25, 1e20)).map(N),
    queue: fc.constantFrom('q1', 'q2').map(S),
    note: fc.oneof(fc.string().map(S), fc.constant({ L: [{ M: { deep: { BOOL: true } } }] })),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Item>
const actions: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: fc.constantFrom('put', 'put if new'), id, attributes }),
  fc.record({ kind: fc.constant('set'), id, attributes: attributes.filter((some) => Object.keys(some).length > 0) }),
  fc.record({ kind: fc.constantFrom('remove attributes', 'delete', 'delete if owned'), id }),
  fc.record({ kind: fc.constant('move'), id, to: id }),
)

const keyOf = (n: number): Item => key(`p${n % 2}`, `s${n}`)

/** Random changes, compared with a plain map: items, indexes and the replayed stream must match it. */
export function oracleCases(): void {
  test('items, indexes and stream match a plain map after random changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(actions, { minLength: 1, maxLength: 30 }), (list) =>
        run(':memory:', async (dynamoDb) => {
          await dynamoDb.ensureTable(mainTable)
          const oracle = new Map<number, Item>()
          for (const action of list) {
            const error = await apply(dynamoDb, action)
            expect(error).toBe(applyToOracle(oracle, action))
          }
          const items = [...oracle.values()]
          expect(sorted(await all(dynamoDb, 'Scan', { TableName }))).toEqual(sorted(items))
          for (const owner of owners) {
            const found = await all(dynamoDb, 'Query', {
              TableName,
              IndexName: 'by-owner',
              KeyConditionExpression: '#o = :o',
              ExpressionAttributeNames: { '#o': 'owner' },
              ExpressionAttributeValues: { ':o': S(owner) },
              Limit: 2,
            })
            const expected = items.filter((item) => item.owner?.S === owner && item.at)
            expect(found.map((item) => item.at!.S)).toEqual(
              expected.map((item) => item.at!.S!).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
            )
            expect(sorted(found)).toEqual(sorted(expected))
          }
          for (const queue of ['q1', 'q2']) {
            const found = await all(dynamoDb, 'Query', {
              TableName,
              IndexName: 'by-due',
              KeyConditionExpression: 'queue = :q AND due >= :zero',
              ScanIndexForward: false,
              ExpressionAttributeValues: { ':q': S(queue), ':zero': N(0) },
              Limit: 2,
            })
            const expected = items.filter((item) => item.queue?.S === queue && Number(item.due?.N ?? -1) >= 0)
            expect(found.map((item) => Number(item.due!.N))).toEqual(
              expected.map((item) => Number(item.due!.N)).sort((a, b) => b - a),
            )
          }
          expect(sorted(await replay(dynamoDb))).toEqual(sorted(items))
        }),
      ),
      { numRuns: runs(120) },
    )
  })
}

/** The error's name, or undefined. */
async function apply(dynamoDb: DynamoDb, action: Action): Promise<string | undefined> {
  const Key = keyOf(action.id)
  const ifOwned = {
    ConditionExpression: '#o = :ann',
    ExpressionAttributeNames: { '#o': 'owner' },
    ExpressionAttributeValues: { ':ann': S('ann') },
  }
  const call = (): Promise<object> => {
    switch (action.kind) {
      case 'put':
        return dynamoDb.call('PutItem', { TableName, Item: { ...Key, ...action.attributes } })
      case 'put if new':
        return dynamoDb.call('PutItem', {
          TableName,
          Item: { ...Key, ...action.attributes },
          ConditionExpression: 'attribute_not_exists(pk)',
        })
      case 'set': {
        const names = Object.keys(action.attributes)
        return dynamoDb.call('UpdateItem', {
          TableName,
          Key,
          UpdateExpression: `SET ${names.map((_, i) => `#n${i} = :v${i}`).join(', ')}`,
          ExpressionAttributeNames: Object.fromEntries(names.map((name, i) => [`#n${i}`, name])),
          ExpressionAttributeValues: Object.fromEntries(names.map((name, i) => [`:v${i}`, action.attributes[name]])),
        })
      }
      case 'remove attributes':
        return dynamoDb.call('UpdateItem', {
          TableName,
          Key,
          UpdateExpression: 'REMOVE #o, queue',
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeNames: { '#o': 'owner' },
        })
      case 'delete':
        return dynamoDb.call('DeleteItem', { TableName, Key })
      case 'delete if owned':
        return dynamoDb.call('DeleteItem', { TableName, Key, ...ifOwned })
      case 'move':
        return dynamoDb.call('TransactWriteItems', {
          TransactItems: [
            { Delete: { TableName, Key, ...ifOwned } },
            { Put: { TableName, Item: { ...keyOf(action.to), owner: S('bob'), at: S('2') } } },
          ],
        })
    }
  }
  return call().then(
    () => undefined,
    (error: Error & { code: string }) => error.code,
  )
}

function applyToOracle(oracle: Map<number, Item>, action: Action): string | undefined {
  const before = oracle.get(action.id)
  const refused = 'ConditionalCheckFailedException'
  switch (action.kind) {
    case 'put if new':
      if (before) return refused
      break
    case 'remove attributes':
      if (!before) return refused
      break
    case 'delete if owned':
      if (before?.owner?.S !== 'ann') return refused
      break
    case 'move':
      if (action.id === action.to) return 'ValidationException'
      if (before?.owner?.S !== 'ann') return 'TransactionCanceledException'
  }
  if (action.kind === 'put' || action.kind === 'put if new')
    oracle.set(action.id, { ...keyOf(action.id), ...action.attributes })
  else if (action.kind === 'set') oracle.set(action.id, { ...keyOf(action.id), ...before, ...action.attributes })
  else if (action.kind === 'remove attributes') {
    const { owner: _owner, queue: _queue, ...rest } = before!
    oracle.set(action.id, rest)
  } else oracle.delete(action.id)
  if (action.kind === 'move') oracle.set(action.to, { ...keyOf(action.to), owner: S('bob'), at: S('2') })
  return undefined
}

async function all(dynamoDb: DynamoDb, operation: string, input: object): Promise<Item[]> {
  const items: Item[] = []
  let start: Item | undefined
  do {
    const page = (await dynamoDb.call(operation, { ...input, ...(start && { ExclusiveStartKey: start }) })) as {
      Items: Item[]
      LastEvaluatedKey?: Item
    }
    items.push(...page.Items)
    start = page.LastEvaluatedKey
  } while (start)
  return items
}

/** Rebuilds the table from its stream. Each record must fit the state before it. */
async function replay(dynamoDb: DynamoDb): Promise<StoredItem[]> {
  const items = new Map<string, StoredItem>()
  for (const {
    eventName,
    dynamodb: { Keys, OldImage, NewImage },
  } of await dynamoDb.stream(TableName).read(undefined, 1000)) {
    const name = JSON.stringify(Keys)
    if (!isDeepStrictEqual(items.get(name), OldImage))
      throw new Error(`The old image of ${name} is not what was there.`)
    expect(eventName).toBe(!OldImage ? 'INSERT' : NewImage ? 'MODIFY' : 'REMOVE')
    if (NewImage) items.set(name, NewImage)
    else items.delete(name)
  }
  return [...items.values()]
}

const sorted = <T extends Item | StoredItem>(items: T[]): T[] =>
  items.toSorted((a, b) => (`${a.sk!.S}` < `${b.sk!.S}` ? -1 : 1))
