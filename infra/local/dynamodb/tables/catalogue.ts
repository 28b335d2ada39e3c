/** The existing tables: loaded from storage once, then kept in memory; every change is stored. */
import { randomUUID } from 'node:crypto'
import type { Op, Storage } from '../../runtime/storage/storage.ts'
import type { DynaliteIndex } from '../dynalite.ts'
import { readRequest } from '../requests/read-request.ts'
import { invalid, notFound, refused } from '../service-error.ts'
import { type StreamLog, openStreamLog } from '../streams/stream-log.ts'
import { type StreamViewType, type Table, type TableDescription, type TableRow, loadTable } from './table.ts'

const rowPrefix = 'ddb/table/'
const viewTypes: StreamViewType[] = ['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES']

export interface Catalogue {
  readonly tables: ReadonlyMap<string, Table>
  readonly logs: ReadonlyMap<string, StreamLog>
  create(input: object): Promise<TableDescription>
  /** Stores a table's new description, with `more` operations in the same batch. */
  replace(row: TableRow, more?: readonly Op[]): Promise<Table>
  /** The table of a name; throws ResourceNotFoundException. */
  get(name: string): Table
}

export interface CatalogueSettings {
  region: string
  accountId: string
  now: () => number
}

export async function openCatalogue(storage: Storage, settings: CatalogueSettings): Promise<Catalogue> {
  const tables = new Map<string, Table>()
  const logs = new Map<string, StreamLog>()
  const creating = new Set<string>()

  async function load(row: TableRow): Promise<Table> {
    const table = loadTable(row)
    if (row.description.LatestStreamArn && !logs.has(table.name)) {
      logs.set(table.name, await openStreamLog(storage, table, settings.region, settings.now))
    }
    tables.set(table.name, table)
    return table
  }

  async function replace(row: TableRow, more: readonly Op[] = []): Promise<Table> {
    await storage.commit([
      { type: 'put', key: rowPrefix + row.description.TableName, value: JSON.stringify(row) },
      ...more,
    ])
    return load(row)
  }

  for (const [, text] of await storage.range({ gte: rowPrefix, lt: `${rowPrefix}~` }))
    await load(JSON.parse(text) as TableRow)

  return {
    tables,
    logs,
    replace,
    async create(input) {
      const description = describeNew(input, settings)
      const name = description.TableName
      if (tables.has(name) || creating.has(name))
        throw refused('ResourceInUseException', `Table already exists: ${name}`)
      creating.add(name)
      try {
        return (await replace({ description })).description
      } finally {
        creating.delete(name)
      }
    },
    get(name) {
      const table = tables.get(name)
      if (!table) throw notFound(`Table: ${name}`)
      return table
    },
  }
}

/** The description of a new table. It is active at once; in AWS that takes a few seconds. */
export function describeNew(input: object, { region, accountId, now }: CatalogueSettings): TableDescription {
  const request = readRequest('CreateTable', input) as unknown as TableDescription & { BillingMode?: string }
  const { BillingMode: billing, ...schema } = request
  checkAttributesUsed(schema)
  const arn = `arn:aws:dynamodb:${region}:${accountId}:table/${schema.TableName}`
  const seconds = now() / 1000
  const describeIndex = (index: DynaliteIndex) => ({
    ...index,
    IndexArn: `${arn}/index/${index.IndexName}`,
    IndexSizeBytes: 0,
    ItemCount: 0,
  })
  return {
    ...schema,
    ...(schema.LocalSecondaryIndexes && { LocalSecondaryIndexes: schema.LocalSecondaryIndexes.map(describeIndex) }),
    ...(schema.GlobalSecondaryIndexes && {
      GlobalSecondaryIndexes: schema.GlobalSecondaryIndexes.map((index) => ({
        ...describeIndex(index),
        IndexStatus: 'ACTIVE',
      })),
    }),
    TableArn: arn,
    TableId: randomUUID(),
    TableStatus: 'ACTIVE',
    CreationDateTime: seconds,
    ItemCount: 0,
    TableSizeBytes: 0,
    ProvisionedThroughput: {
      ReadCapacityUnits: 0,
      WriteCapacityUnits: 0,
      ...(schema.ProvisionedThroughput as object),
      NumberOfDecreasesToday: 0,
    },
    ...(billing === 'PAY_PER_REQUEST' && {
      BillingModeSummary: { BillingMode: billing, LastUpdateToPayPerRequestDateTime: seconds },
      TableThroughputModeSummary: { TableThroughputMode: billing },
    }),
    ...describeStream(input, arn, now()),
  }
}

function describeStream(input: object, tableArn: string, at: number): Partial<TableDescription> {
  const { StreamSpecification: wanted } = input as { StreamSpecification?: TableDescription['StreamSpecification'] }
  if (!wanted?.StreamEnabled) return {}
  if (!viewTypes.includes(wanted.StreamViewType!)) {
    throw invalid(
      'One or more parameter values were invalid: StreamViewType must be one of ' +
        `[${viewTypes.join(', ')}] when a stream is enabled`,
    )
  }
  const label = new Date(at).toISOString().slice(0, -1)
  return {
    StreamSpecification: { StreamEnabled: true, StreamViewType: wanted.StreamViewType },
    LatestStreamLabel: label,
    LatestStreamArn: `${tableArn}/stream/${label}`,
  }
}

function checkAttributesUsed(schema: TableDescription): void {
  const indexes = [...(schema.GlobalSecondaryIndexes ?? []), ...(schema.LocalSecondaryIndexes ?? [])]
  const used = new Set([schema, ...indexes].flatMap(({ KeySchema }) => KeySchema.map((key) => key.AttributeName)))
  const defined = schema.AttributeDefinitions.map((definition) => definition.AttributeName)
  if (defined.some((name) => !used.has(name))) {
    throw invalid(
      'One or more parameter values were invalid: Some AttributeDefinitions are not used. ' +
        `AttributeDefinitions: [${defined.join(', ')}], keys used: [${[...used].join(', ')}]`,
    )
  }
}
