/**
 * The tables of the contract in a real AWS account: `AWS_CONTRACT=1`, with the credentials and region of the
 * environment. Their names get the prefix `CONTRACT_TABLE_PREFIX`, which the tests do not see. They are deleted at
 * the end.
 */
import * as dynamodb from '@aws-sdk/client-dynamodb'
import type { DynamoDb } from '../../../infra/local/dynamodb/open.ts'
import type { Fixture } from './fixture.ts'
import { mainTable, oddKeysTable, plainTable, slotsTable } from './tables.ts'

export const onAws = process.env.AWS_CONTRACT === '1'
const prefix = process.env.CONTRACT_TABLE_PREFIX ?? `contract-${Date.now().toString(36)}-`
const tables = [mainTable, plainTable, oddKeysTable, slotsTable]
const names = new Set(tables.map(({ TableName }) => TableName))
const maxWaitTime = 300

/**
 * A fixture without what only the embedded store has (clock, streams in process). Tests that need those are skipped.
 */
export async function openAwsFixture(): Promise<Fixture> {
  const client = new dynamodb.DynamoDBClient({ maxAttempts: 5 })
  client.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next({
        ...args,
        input: renamed(args.input, (name) => (names.has(name) ? prefix + name : name)),
      })
      return {
        ...answer,
        output: renamed(answer.output, (name) =>
          name.startsWith(prefix) ? name.slice(prefix.length) : name,
        ) as typeof answer.output,
      }
    },
    { step: 'initialize', name: 'prefixTables' },
  )
  for (const table of tables) await client.send(new dynamodb.CreateTableCommand(table))
  await Promise.all(
    tables.map(({ TableName }) =>
      dynamodb.waitUntilTableExists({ client, minDelay: 2, maxWaitTime }, { TableName: prefix + TableName }),
    ),
  )
  return {
    client,
    dynamoDb: {
      call: (operation: string, input: object) => client.send(commandOf(operation, input)),
    } as unknown as DynamoDb,
    clock: { now: Date.now() },
    faults: {},
    callStreams: () => Promise.reject(new Error('the streams of AWS have a client of their own')),
    async close() {
      for (const { TableName } of tables) await client.send(new dynamodb.DeleteTableCommand({ TableName }))
      client.destroy()
    },
  }
}

function commandOf(operation: string, input: object): dynamodb.GetItemCommand {
  const Command = (dynamodb as unknown as Record<string, new (given: object) => dynamodb.GetItemCommand>)[
    `${operation}Command`
  ]
  if (!Command) throw new Error(`DynamoDB has no ${operation}`)
  return new Command(input)
}

/** Members whose keys are table names. */
const byTable = new Set(['RequestItems', 'Responses', 'UnprocessedItems', 'UnprocessedKeys', 'ItemCollectionMetrics'])

/** A copy with other table names; attribute values stay as they are. */
function renamed<T>(value: T, rename: (name: string) => string): T {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || value instanceof Date) return value
  if (Array.isArray(value)) return value.map((member) => renamed(member, rename)) as T
  const entries = Object.entries(value).map(([key, member]) => {
    if (key === 'TableName' && typeof member === 'string') return [key, rename(member)]
    if (byTable.has(key) && typeof member === 'object' && member !== null && !Array.isArray(member)) {
      return [key, Object.fromEntries(Object.entries(member as object).map(([table, of]) => [rename(table), of]))]
    }
    return [key, key === '$metadata' ? member : renamed(member, rename)]
  })
  return Object.fromEntries(entries) as T
}
