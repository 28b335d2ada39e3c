/**
 * The only import of dynalite 4: its request validations, expression parsers and single-item logic, with types. Its
 * store is not used: its actions get a store object of ours and what they would write is returned as a value, so
 * dynalite itself changes nothing.
 */
import { createRequire } from 'node:module'
import type { AttributeValue, Item, KeyType } from './items/attribute-value.ts'

/** The part of a table description that dynalite reads. */
export interface DynaliteTable {
  TableName: string
  KeySchema: Array<{ AttributeName: string; KeyType: 'HASH' | 'RANGE' }>
  AttributeDefinitions: Array<{ AttributeName: string; AttributeType: KeyType }>
  GlobalSecondaryIndexes?: DynaliteIndex[]
  LocalSecondaryIndexes?: DynaliteIndex[]
}

export interface DynaliteIndex {
  IndexName: string
  KeySchema: DynaliteTable['KeySchema']
  Projection: { ProjectionType?: 'ALL' | 'KEYS_ONLY' | 'INCLUDE'; NonKeyAttributes?: string[] }
}

/** A validated request. Members that start with an underscore are parsed expressions. */
export interface ValidRequest {
  TableName: string
  IndexName?: string
  Item?: Item
  Key?: Item
  Limit?: number
  Select?: string
  ConsistentRead?: boolean
  ScanIndexForward?: boolean
  ExclusiveStartKey?: Item
  ReturnValues?: string
  ReturnValuesOnConditionCheckFailure?: string
  ReturnConsumedCapacity?: string
  ConditionalOperator?: string
  ConditionExpression?: string
  AttributesToGet?: string[]
  Expected?: object
  QueryFilter?: object
  ScanFilter?: object
  _condition?: { expression: Expression }
  _filter?: { expression: Expression }
  _projection?: { paths: Path[] }
  _updates?: { sections: UpdateSection[] }
}

export type Path = Array<string | number>
export type Operand = Path | Expression | AttributeValue
export interface Expression {
  type: string
  name?: string
  args: Operand[]
}
export interface UpdateSection {
  type: 'set' | 'remove' | 'add' | 'delete'
  path: Path
}

export type TypeSpec =
  | string
  | { type: string; children?: TypeSpec | Record<string, TypeSpec>; [rule: string]: unknown }
export interface RequestRules {
  types: Record<string, TypeSpec>
  custom?(request: never, store: { options: { maxItemSize: number } }): string | undefined
}

type Callback<T> = (error?: Error | null, result?: T) => void
export interface ItemView {
  lock(key: string, work: (release: <C>(done: C) => C) => void): void
  get(key: string, done: Callback<Item>): void
  put(key: string, item: Item, done: Callback<void>): void
  del(key: string, done: Callback<void>): void
}
export interface StoreView {
  options: { maxItemSize: number }
  getTable(name: string, statusOrDone: unknown, done?: Callback<DynaliteTable>): void
  getItemDb?(name: string): ItemView
  [readPage]?: ReadPage
}
export type Action = (store: StoreView, request: ValidRequest, done: Callback<object>) => void

export interface Bounds {
  gt?: string
  gte?: string
  lt?: string
  lte?: string
  reverse?: boolean
}
export type ReadPage = (request: ValidRequest, bounds: Bounds, startKeyNames: string[], done: Callback<object>) => void

interface DynaliteDb {
  hashPrefix(value: string, type: KeyType): string
  toRangeStr(value: string, type: KeyType): string
  validateKey(key: Item, table: DynaliteTable): Error | null | undefined
  validateItem(item: Item, table: DynaliteTable): Error | null | undefined
  mapPaths(paths: Array<Path | string>, item: Item): Item
  mapPath(path: Path, item: Item): AttributeValue | undefined
  compare(operator: string, value: AttributeValue | undefined, operands: AttributeValue[]): boolean
  matchesFilter(item: Item, filter: object, operator?: string): boolean
  queryTable(
    store: StoreView,
    table: DynaliteTable,
    request: ValidRequest,
    bounds: Bounds,
    isLocal: boolean | undefined,
    fetchItems: boolean,
    startKeyNames: string[],
    done: Callback<object>,
  ): void
}

interface DynaliteValidations {
  checkTypes(request: object, types: RequestRules['types']): object
  checkValidations(request: object, types: RequestRules['types'], custom: RequestRules['custom'], store: object): void
  validateAttributeValue(value: AttributeValue): string | undefined
}

export interface ExpressionParser {
  parse(text: string, options: { context: ParserContext }): unknown
}
export interface ParserContext {
  attrNames?: Record<string, string>
  attrVals?: Item
  unusedAttrNames: Record<string, true>
  unusedAttrVals: Record<string, true>
  isKeyCondition?: boolean
}

const require = createRequire(import.meta.url)

export const db = require('dynalite/db') as DynaliteDb
const { compare } = db
const ordering = new Set(['<', '<=', '>', '>=', 'LT', 'LE', 'GT', 'GE', 'BETWEEN'])
const asBytes = (value: AttributeValue | undefined): AttributeValue | undefined =>
  value?.S === undefined ? value : { S: Buffer.from(value.S).toString('hex') }
/** dynalite orders text by UTF-16 code units; AWS orders it by UTF-8 bytes, as the keys here are. */
db.compare = (operator, value, operands) =>
  ordering.has(operator)
    ? compare(
        operator,
        asBytes(value),
        [operands].flat().map((operand) => asBytes(operand) as AttributeValue),
      )
    : compare(operator, value, operands)

export const validations = require('dynalite/validations') as DynaliteValidations
export const parsers = {
  condition: require('dynalite/db/conditionParser') as ExpressionParser,
  update: require('dynalite/db/updateParser') as ExpressionParser,
  projection: require('dynalite/db/projectionParser') as ExpressionParser,
}

const fileOf = {
  BatchGetItem: 'batchGetItem',
  BatchWriteItem: 'batchWriteItem',
  CreateTable: 'createTable',
  DeleteItem: 'deleteItem',
  DescribeTable: 'describeTable',
  DescribeTimeToLive: 'describeTimeToLive',
  GetItem: 'getItem',
  ListTables: 'listTables',
  PutItem: 'putItem',
  Query: 'query',
  Scan: 'scan',
  UpdateItem: 'updateItem',
} as const
export type Validated = keyof typeof fileOf

export const rulesOf = Object.fromEntries(
  Object.entries(fileOf).map(([operation, file]) => [
    operation,
    require(`dynalite/validations/${file}`) as RequestRules,
  ]),
) as Record<Validated, RequestRules>

/** The actions of dynalite that are used. The trivial ones are our own. */
export const actions = {
  PutItem: require('dynalite/actions/putItem') as Action,
  UpdateItem: require('dynalite/actions/updateItem') as Action,
  DeleteItem: require('dynalite/actions/deleteItem') as Action,
  GetItem: require('dynalite/actions/getItem') as Action,
  Query: require('dynalite/actions/query') as Action,
  Scan: require('dynalite/actions/scan') as Action,
}

/**
 * dynalite's query and scan actions turn a request into key bounds and call `db.queryTable`, a module global. A store
 * view with this member reads its own page; any other store works as before.
 */
export const readPage = Symbol.for('local-cloud.dynamodb.read-page')

const queryTable = db.queryTable
db.queryTable = (store, table, request, bounds, isLocal, fetchItems, startKeyNames, done) => {
  const ours = store[readPage]
  if (ours) ours(request, bounds, startKeyNames, done)
  else queryTable(store, table, request, bounds, isLocal, fetchItems, startKeyNames, done)
}
