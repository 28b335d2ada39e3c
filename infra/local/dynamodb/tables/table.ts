/** A table as the engine uses it, with everything derived from its description. */

import type { DynaliteIndex, DynaliteTable } from '../dynalite.ts'
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

/** The stored row of a table. */
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
  /** The attributes of an entry, or all. */
  projects: 'ALL' | string[]
  /** Whether an entry holds no more than its key, and so never changes in place. */
  holdsOnlyKeys: boolean
  /** Storage prefix of the entries. */
  prefix: string
  /** For the query action: the table with this index only, which saves a search. */
  view: DynaliteTable
}

export interface Table extends TableRow {
  name: string
  keys: KeyAttribute[]
  indexes: Index[]
  /** Key attributes of indexes that are not keys of the table. */
  indexKeyNames: ReadonlySet<string>
  itemPrefix: string
  expiryPrefix: string
  /** The table without its indexes, for the single-item actions. */
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
