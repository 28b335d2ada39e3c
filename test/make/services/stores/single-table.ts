/** The single table with its slots on an embedded DynamoDB in memory, for tests of the layer above the store. */
import { CreateTableCommand, DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import { openDynamoDb } from '../../../../infra/local/dynamodb/open.ts'
import { ServiceError } from '../../../../infra/local/dynamodb/service-error.ts'
import { openStorage } from '../../../../infra/local/runtime/storage/storage.ts'
import { slotName } from '../../../../shared/platform/store/slots.ts'
import { createStore, type Store } from '../../../../shared/platform/store/store.ts'
import { unmarshal, type Item } from '../../../../shared/platform/store/values/marshal.ts'

export type StoredItem = Item & { readonly pk: string; readonly sk: string }

export interface SingleTable {
  readonly store: Store
  /** The same table with `around` between the store and DynamoDB, to inject faults. */
  storeThrough(around: <T>(operation: string, call: () => Promise<T>, input: object) => Promise<T>): Store
  /** The client of the table, for what is not part of the store. */
  readonly client: DynamoDBClient
  /** Every item whose partition key starts with the prefix. */
  itemsOf(partitionPrefix: string): Promise<StoredItem[]>
  close(): Promise<void>
}

const TableName = 'Table'
const location = { region: 'eu-central-1', accountId: '111122223333' }
const slots = Array.from({ length: 20 }, (_, index) => String(index + 1).padStart(2, '0'))
const keySchema = (partition: string, sort: string) => [
  { AttributeName: partition, KeyType: 'HASH' as const },
  { AttributeName: sort, KeyType: 'RANGE' as const },
]

/** `indexDelayMs`: index entries become visible this much later than items, as in AWS. */
export async function openSingleTable({
  indexDelayMs = 0,
}: { readonly indexDelayMs?: number } = {}): Promise<SingleTable> {
  const storage = await openStorage(':memory:')
  const dynamoDb = await openDynamoDb(storage, { ...location, ttlSweepMs: 0, now: Date.now, indexDelayMs })
  const client = new DynamoDBClient({
    endpoint: 'http://in-process',
    region: location.region,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    requestHandler: inProcess((operation, input) => dynamoDb.call(operation, input)),
    logger: { trace() {}, debug() {} } as never,
  })
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keySchema('pk', 'sk'),
      AttributeDefinitions: ['pk', 'sk', ...slots.flatMap((slot) => [`p${slot}`, `s${slot}`])].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S' as const,
      })),
      GlobalSecondaryIndexes: slots.map((slot) => ({
        IndexName: slotName(Number(slot)),
        KeySchema: keySchema(`p${slot}`, `s${slot}`),
        Projection: { ProjectionType: 'KEYS_ONLY' as const },
      })),
    }),
  )

  const itemsOf = scanner(client, TableName)

  return {
    store: createStore(TableName, client),
    storeThrough: (around) =>
      createStore(TableName, {
        send: ((command: { readonly input: object }) =>
          around(
            command.constructor.name.replace('Command', ''),
            () => client.send(command as never),
            command.input,
          )) as never,
      }),
    client,
    itemsOf,
    async close() {
      client.destroy()
      await dynamoDb.close()
      await storage.close()
    },
  }
}

/** Returns every item of a table whose partition key starts with a prefix. */
export const scanner =
  (client: DynamoDBClient, table: string) =>
  async (partitionPrefix: string): Promise<StoredItem[]> => {
    const items: StoredItem[] = []
    let ExclusiveStartKey: Record<string, never> | undefined
    do {
      const page = await client.send(new ScanCommand({ TableName: table, ExclusiveStartKey, ConsistentRead: true }))
      items.push(...(page.Items ?? []).map((item) => unmarshal(item) as StoredItem))
      ExclusiveStartKey = page.LastEvaluatedKey as Record<string, never> | undefined
    } while (ExclusiveStartKey)
    return items.filter(({ pk }) => pk.startsWith(partitionPrefix))
  }

/** A request handler for the SDK that calls the embedded DynamoDB. */
function inProcess(call: (operation: string, input: object) => Promise<object>) {
  const answer = (statusCode: number, body: object) => ({
    response: {
      statusCode,
      headers: { 'content-type': 'application/x-amz-json-1.0' },
      body: Buffer.from(JSON.stringify(body)),
    },
  })
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    async handle(request: { headers: Record<string, string>; body?: unknown }) {
      const operation = request.headers['x-amz-target']?.split('.')[1] as string
      const { buffer, byteOffset, byteLength } = request.body as Uint8Array
      try {
        return answer(
          200,
          await call(operation, JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString()) as object),
        )
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        return answer(error.statusCode, error.body)
      }
    },
    destroy() {},
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
  }
}
