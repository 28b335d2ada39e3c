/** A table in memory, with an index of each projection, whose calls tell what they cost. */
import { onTestFinished } from 'vitest'
import type { Charge } from '../../../../infra/local/dynamodb/capacity/charges.ts'
import type { Item } from '../../../../infra/local/dynamodb/items/attribute-value.ts'
import { openDynamoDb } from '../../../../infra/local/dynamodb/open.ts'
import { openStorage } from '../../../../infra/local/runtime/storage/storage.ts'

export const TableName = 'Table'

const keys = (partition: string, sort: string) => [
  { AttributeName: partition, KeyType: 'HASH' as const },
  { AttributeName: sort, KeyType: 'RANGE' as const },
]
const index = (letter: string, Projection: object) => ({
  IndexName: `${letter}-index`,
  KeySchema: keys(`${letter}p`, `${letter}s`),
  Projection,
})

export const Key = (id: string): Item => ({ pk: { S: 'p' }, sk: { S: id } })

/** An item of exactly so many bytes: its keys and their names take 6, the name of `x` takes one. */
export const sized = (bytes: number, id = 'a', more: Item = {}): Item => ({
  ...Key(id),
  ...more,
  x: { S: 'x'.repeat(bytes - 7) },
})

export interface ChargedTable {
  call(operation: string, input: object): Promise<object>
  put(...items: Item[]): Promise<unknown>
  /** Units by table (`T`) and index (`T/<letter>`), also of a call that is refused. */
  spent(operation: string, input: object): Promise<Record<string, number>>
}

/** Its indexes are `k-index` (keys only), `i-index` (includes `note`) and `a-index` (all attributes). */
export async function openChargedTable(): Promise<ChargedTable> {
  const storage = await openStorage(':memory:')
  const dynamoDb = await openDynamoDb(storage, { region: 'eu-central-1', accountId: '111122223333', ttlSweepMs: 0 })
  onTestFinished(async () => {
    await dynamoDb.close()
    await storage.close()
  })
  await dynamoDb.ensureTable({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: keys('pk', 'sk'),
    AttributeDefinitions: ['pk', 'sk', 'kp', 'ks', 'ip', 'is', 'ap', 'as'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S' as const,
    })),
    GlobalSecondaryIndexes: [
      index('k', { ProjectionType: 'KEYS_ONLY' }),
      index('i', { ProjectionType: 'INCLUDE', NonKeyAttributes: ['note'] }),
      index('a', { ProjectionType: 'ALL' }),
    ],
  })
  return {
    call: (operation, input) => dynamoDb.call(operation, input),
    put: (...items) => Promise.all(items.map((Item) => dynamoDb.call('PutItem', { TableName, Item }))),
    async spent(operation, input) {
      const charges: Charge[] = []
      await dynamoDb.call(operation, input, (charge) => charges.push(charge)).catch(() => undefined)
      const units: Record<string, number> = {}
      for (const charge of charges) {
        const name = charge.index === undefined ? 'T' : `T/${charge.index[0]}`
        units[name] = (units[name] ?? 0) + charge.units
      }
      return units
    },
  }
}
