import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { openLocalTable } from '../local/runtime/local-endpoint.ts'

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
  const tableName = table ?? (await tableOfStage(client, stage as string))
  return { client, tableName, url, close: async () => {} }
}

/** CloudFormation names the table `EntityWorkflow-<stage>-Table<hash>-<random>`. */
async function tableOfStage(client: DynamoDBClient, stage: string): Promise<string> {
  const found = (await tablesOf(client)).filter((name) => name.startsWith(`EntityWorkflow-${stage}-Table`))
  if (found.length === 1) return found[0] as string
  const problem = found.length === 0 ? `No table of the stage ${stage} is` : `Several tables of the stage ${stage} are`
  throw new Error(
    `${problem} in this account and region: pass its name (output TableName of the stack) with --table or, for reindex, --dynamodb-table.`,
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
