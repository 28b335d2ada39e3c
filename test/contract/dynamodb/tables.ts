/**
 * The tables of the contract: one with every kind of index, a plain one, one with binary and number keys, one with 20
 * indexes.
 */
import type {
  AttributeValue,
  CreateTableCommandInput,
  GlobalSecondaryIndex,
  KeySchemaElement,
} from '@aws-sdk/client-dynamodb'

export type Item = Record<string, AttributeValue>

const keys = (partition: string, sort?: string): KeySchemaElement[] => [
  { AttributeName: partition, KeyType: 'HASH' },
  ...(sort === undefined ? [] : [{ AttributeName: sort, KeyType: 'RANGE' as const }]),
]
const strings = (...names: string[]) => names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const }))

export const mainTable = {
  TableName: 'main',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [
    ...strings('pk', 'sk', 'owner', 'at', 'queue', 'email'),
    { AttributeName: 'due', AttributeType: 'N' },
    { AttributeName: 'rank', AttributeType: 'N' },
  ],
  KeySchema: keys('pk', 'sk'),
  GlobalSecondaryIndexes: [
    { IndexName: 'by-owner', KeySchema: keys('owner', 'at'), Projection: { ProjectionType: 'ALL' } },
    { IndexName: 'by-due', KeySchema: keys('queue', 'due'), Projection: { ProjectionType: 'KEYS_ONLY' } },
    {
      IndexName: 'by-email',
      KeySchema: keys('email'),
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['name'] },
    },
  ],
  LocalSecondaryIndexes: [
    { IndexName: 'by-rank', KeySchema: keys('pk', 'rank'), Projection: { ProjectionType: 'KEYS_ONLY' } },
  ],
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
} satisfies CreateTableCommandInput

export const plainTable = {
  TableName: 'plain',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: strings('id'),
  KeySchema: keys('id'),
} satisfies CreateTableCommandInput

export const oddKeysTable = {
  TableName: 'odd-keys',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [
    { AttributeName: 'raw', AttributeType: 'B' },
    { AttributeName: 'number', AttributeType: 'N' },
  ],
  KeySchema: keys('raw', 'number'),
} satisfies CreateTableCommandInput

/** The maximum number of indexes, like in the service's own table. */
export const slots = Array.from({ length: 20 }, (_, i) => `slot${String(i + 1).padStart(2, '0')}`)
export const slotsTable = {
  TableName: 'slots',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: strings('pk', 'sk', ...slots.flatMap((slot) => [`${slot}p`, `${slot}s`])),
  KeySchema: keys('pk', 'sk'),
  GlobalSecondaryIndexes: slots.map((slot): GlobalSecondaryIndex => ({
    IndexName: slot,
    KeySchema: keys(`${slot}p`, `${slot}s`),
    Projection: { ProjectionType: 'KEYS_ONLY' },
  })),
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
} satisfies CreateTableCommandInput
