import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { openLocalTable } from '../local/runtime/local-endpoint.ts'
import { describeStack } from './cloud-formation.ts'

/** A connection to the single table, deployed or local. */
export interface OpenTable {
  readonly client: DynamoDBClient
  readonly tableName: string
  /** The address of the service, when known. */
  readonly url: string | undefined
  readonly close: () => Promise<void>
}

export interface OpenTableOptions {
  readonly stage?: string
  /** The name of the DynamoDB table, if it cannot be found by the stage. */
  readonly table?: string
  readonly url?: string
}

/** Opens the table of a deployed service; without stage and table, the local one on `DATA_DIR`. */
export const openTable = (given: OpenTableOptions): Promise<OpenTable> =>
  given.stage !== undefined || given.table !== undefined ? openDeployed(given) : openLocal(given)

async function openLocal({ url }: OpenTableOptions): Promise<OpenTable> {
  const directory = process.env['DATA_DIR'] || '.local'
  const table = await openLocalTable(directory)
  const client = new DynamoDBClient({
    endpoint: table.endpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  })
  const port = process.env['PORT'] || '3000'
  const [tableName] = await tablesOf(client)
  if (tableName === undefined) {
    await table.close()
    throw new Error(`There is no service in ${directory} yet: run npm start first.`)
  }
  return { client, tableName, url: url ?? table.url ?? `http://localhost:${port}`, close: table.close }
}

async function openDeployed({ stage, table, url }: OpenTableOptions): Promise<OpenTable> {
  const client = new DynamoDBClient({})
  const tableName = table ?? (await tableOfStage(stage as string))
  return { client, tableName, url, close: async () => {} }
}

/** The table in use: the stack's own, or one that was restored. */
async function tableOfStage(stage: string): Promise<string> {
  const stack = await describeStack(`EntityWorkflow-${stage}`)
  if (stack?.outputs['TableName'] !== undefined) return stack.outputs['TableName']
  throw new Error(
    `The stage ${stage} is not deployed in this account and region. Or pass the name of its table with --table or, for reindex, --dynamodb-table.`,
  )
}

async function tablesOf(client: DynamoDBClient): Promise<string[]> {
  const names: string[] = []
  let ExclusiveStartTableName: string | undefined
  do {
    const page = await client.send(new ListTablesCommand({ ExclusiveStartTableName }))
    names.push(...(page.TableNames ?? []))
    ExclusiveStartTableName = page.LastEvaluatedTableName
  } while (ExclusiveStartTableName !== undefined)
  return names
}
