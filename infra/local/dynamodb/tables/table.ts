import type { DynaliteIndex, DynaliteTable } from '../dynalite.ts'
/** A table as the engine uses it: everything that can be worked out once is worked out when it is loaded. */
import type { KeyType } from '../items/attribute-value.ts'

export type StreamViewType = 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES'

export interface TableDescription extends DynaliteTable {
  TableArn: string
  TableId: string
  TableStatus: 'ACTIVE'
  /** seconds */
  CreationDateTime: number
  StreamSpecification?: { StreamEnabled: boolean; StreamViewType?: StreamViewType }
  LatestStreamArn?: string
  LatestStreamLabel?: string
  [member: string]: unknown
}

/** What is stored of a table. */
export interface TableRow {
  description: TableDescription
  timeToLiveAttribute?: string
}

export interface KeyAttribute {
  name: string
  type: KeyType
}

export interface Index {
  name: string
  keys: KeyAttribute[]
  /** The attributes an entry holds, or all of them. */
  projects: 'ALL' | string[]
  /** Whether an entry says no more than its key does, and so never changes in place. */
  holdsOnlyKeys: boolean
  /** Where the entries lie in storage. */
  prefix: string
  /** What the query action needs to know: this index and no other, which saves it a search. */
  view: DynaliteTable
}

export interface Table extends TableRow {
  name: string
  keys: KeyAttribute[]
  indexes: Index[]
  /** Attributes that order some index, and not the table. */
  indexKeyNames: ReadonlySet<string>
  itemPrefix: string
  expiryPrefix: string
  /** The table without its indexes: what the single-item actions need to know. */
  view: DynaliteTable
}

export function loadTable(row: TableRow): Table {
  const { description } = row
  const name = description.TableName
  const view: DynaliteTable = {
    TableName: name,
    KeySchema: description.KeySchema,
    AttributeDefinitions: definitionsFor(description, description.KeySchema),
  }
  const loadIndex =
    (kind: 'GlobalSecondaryIndexes' | 'LocalSecondaryIndexes') =>
    (index: DynaliteIndex): Index => ({
      name: index.IndexName,
      keys: keyAttributes(description, index.KeySchema),
      projects: projectionOf(description, index),
      holdsOnlyKeys: index.Projection.ProjectionType === 'KEYS_ONLY',
      prefix: `ddb/index/${name}/${index.IndexName}/`,
      view: {
        ...view,
        AttributeDefinitions: definitionsFor(description, [...description.KeySchema, ...index.KeySchema]),
        [kind]: [index],
      },
    })
  const keys = keyAttributes(description, description.KeySchema)
  const indexes = [
    ...(description.LocalSecondaryIndexes ?? []).map(loadIndex('LocalSecondaryIndexes')),
    ...(description.GlobalSecondaryIndexes ?? []).map(loadIndex('GlobalSecondaryIndexes')),
  ]
  const own = new Set(keys.map((key) => key.name))
  return {
    ...row,
    name,
    view,
    keys,
    indexes,
    indexKeyNames: new Set(
      indexes.flatMap((index) => index.keys.map((key) => key.name)).filter((key) => !own.has(key)),
    ),
    itemPrefix: `ddb/item/${name}/`,
    expiryPrefix: `ddb/expiry/${name}/`,
  }
}

function definitionsFor(
  description: DynaliteTable,
  schema: DynaliteTable['KeySchema'],
): DynaliteTable['AttributeDefinitions'] {
  return description.AttributeDefinitions.filter((defined) =>
    schema.some((key) => key.AttributeName === defined.AttributeName),
  )
}

function keyAttributes(description: DynaliteTable, schema: DynaliteTable['KeySchema']): KeyAttribute[] {
  return schema.map(({ AttributeName: name }) => {
    const definition = description.AttributeDefinitions.find((defined) => defined.AttributeName === name)
    if (!definition) throw new Error(`Key attribute ${name} of table ${description.TableName} has no definition.`)
    return { name, type: definition.AttributeType }
  })
}

function projectionOf(description: DynaliteTable, index: DynaliteIndex): Index['projects'] {
  if (index.Projection.ProjectionType === 'ALL') return 'ALL'
  const keys = [...index.KeySchema, ...description.KeySchema].map((key) => key.AttributeName)
  return [...new Set([...keys, ...(index.Projection.NonKeyAttributes ?? [])])]
}
