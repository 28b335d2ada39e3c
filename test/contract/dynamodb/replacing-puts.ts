import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DynamoDb, openDynamoDb } from '../../../infra/local/dynamodb/open.ts'
import { type Storage, openStorage } from '../../../infra/local/runtime/storage/storage.ts'
import { runs } from '../../make/depth.ts'
import { settings } from './fixture.ts'
import { type Item, N, S } from './operations.ts'
import { mainTable } from './tables.ts'

const TableName = 'main'
/** Items are in an index, in the stream, or neither, depending on their attributes. */
const table = {
  ...mainTable,
  LocalSecondaryIndexes: undefined,
  AttributeDefinitions: mainTable.AttributeDefinitions.filter(({ AttributeName }) => AttributeName !== 'rank'),
}
const timeToLive = { TimeToLiveSpecification: { Enabled: true, AttributeName: 'until' } }
const streamFilter = (image: object): boolean => 'feed' in image

const keyOf = (id: number): Item => ({ pk: S(`T#${id % 2}#${id < 4 ? 'posting' : 'record'}`), sk: S(String(id)) })

const anyAttributes = fc.record(
  {
    owner: fc.constantFrom('ann', 'bob').map(S),
    at: fc.constantFrom('1', '2').map(S),
    until: fc.constantFrom(2e9, 3e9).map(N),
    feed: fc.constant(S('yes')),
    note: fc.constantFrom('a', 'b').map(S),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Item>
const anyId = fc.integer({ min: 0, max: 7 })
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('put', 'batch', 'transaction'),
      id: anyId,
      attributes: anyAttributes,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete'), id: anyId }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('restart', 'give it a time to live', 'give it its index') }),
  },
)

/** Puts leave nothing of the item that they replace behind. */
export function replacingPutCases(): void {
  test('indexes and expiry rows match the items after any sequence of puts, restarts and new table definitions', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
        const storage = await openStorage(':memory:')
        const wanted: Record<string, unknown> = {
          ...table,
          GlobalSecondaryIndexes: table.GlobalSecondaryIndexes.slice(1),
        }
        wanted['AttributeDefinitions'] = table.AttributeDefinitions.filter(
          ({ AttributeName }) => !/owner|at/.test(AttributeName),
        )
        const open = async (): Promise<DynamoDb> => {
          const opened = await openDynamoDb(storage, { ...settings, streamFilter })
          await opened.ensureTable(wanted as never)
          return opened
        }
        let dynamoDb = await open()
        const oracle = new Map<number, Item>()
        for (const one of steps) {
          if (one.kind === 'restart' || one.kind.startsWith('give')) {
            if (one.kind === 'give it a time to live') Object.assign(wanted, timeToLive)
            if (one.kind === 'give it its index')
              Object.assign(wanted, {
                GlobalSecondaryIndexes: table.GlobalSecondaryIndexes,
                AttributeDefinitions: table.AttributeDefinitions,
              })
            await dynamoDb.close()
            dynamoDb = await open()
            continue
          }
          const { kind, id, attributes } = one as { kind: string; id: number; attributes?: Item }
          const after = attributes && { ...keyOf(id), ...attributes }
          if (after) oracle.set(id, after)
          else oracle.delete(id)
          await dynamoDb.call(...requestOf(kind, id, after))
        }
        await expectAll(dynamoDb, storage, wanted, [...oracle.values()])
        await dynamoDb.close()
        await storage.close()
      }),
      { numRuns: runs(150) },
    )
  })

  test('a former version finds no shapes by which it would put without a read', async () => {
    const storage = await openStorage(':memory:')
    await storage.commit([{ type: 'put', key: `ddb/shape/${TableName}/`, value: '' }])
    const dynamoDb = await openDynamoDb(storage, { ...settings, streamFilter })
    await dynamoDb.ensureTable(table)
    await dynamoDb.call(...requestOf('put', 0, { ...keyOf(0), owner: S('ann'), at: S('1') }))
    expect(await storage.range({ gte: 'ddb/shape/', lt: 'ddb/shape/~' })).toEqual([])
    await dynamoDb.close()
  })
}

function requestOf(kind: string, id: number, Item: Item | undefined): [operation: string, input: object] {
  if (!Item) return ['DeleteItem', { TableName, Key: keyOf(id) }]
  if (kind === 'batch') return ['BatchWriteItem', { RequestItems: { [TableName]: [{ PutRequest: { Item } }] } }]
  if (kind === 'transaction') return ['TransactWriteItems', { TransactItems: [{ Put: { TableName, Item } }] }]
  return ['PutItem', { TableName, Item }]
}

/** Compares the rows beside the items with those the items require. */
async function expectAll(
  dynamoDb: DynamoDb,
  storage: Storage,
  wanted: Record<string, unknown>,
  items: readonly Item[],
): Promise<void> {
  const scan = async (more: object): Promise<Item[]> =>
    ((await dynamoDb.call('Scan', { TableName, ...more })) as { Items: Item[] }).Items.toSorted(bySort)
  const isIndexed = wanted['GlobalSecondaryIndexes'] === table.GlobalSecondaryIndexes
  const expires = 'TimeToLiveSpecification' in wanted
  const rows = await storage.range({ gte: 'ddb/expiry/', lt: 'ddb/expiry/~' })
  expect({
    items: await scan({}),
    owned: isIndexed ? await scan({ IndexName: 'by-owner' }) : [],
    expiring: rows.length,
  }).toEqual({
    items: items.toSorted(bySort),
    owned: isIndexed ? items.filter(({ owner, at }) => owner && at).toSorted(bySort) : [],
    expiring: expires ? items.filter(({ until }) => until).length : 0,
  })
}

const bySort = (a: Item, b: Item): number => (String(a['sk']?.S) < String(b['sk']?.S) ? -1 : 1)
