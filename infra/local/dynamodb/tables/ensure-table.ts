import { isDeepStrictEqual } from 'node:util'
import type { Storage } from '../../runtime/storage/storage.ts'
import { indexOps } from '../items/index-entries.ts'
import type { ItemLocks } from '../write/item-locks.ts'
import { backfill, deleteRange } from './backfill.ts'
import { type Catalogue, type CatalogueSettings, describeNew } from './catalogue.ts'
import { type Index, type Table, type TableDescription, loadTable } from './table.ts'
import { setTimeToLive } from './time-to-live.ts'

/** A CreateTable request with its time to live, as in a CloudFormation template. */
export interface TableInput {
  TableName: string
  TimeToLiveSpecification?: { Enabled: boolean; AttributeName?: string }
  [member: string]: unknown
}

interface TableParts {
  storage: Storage
  locks: ItemLocks
  catalogue: Catalogue
  settings: CatalogueSettings
}

/**
 * Creates the table, or changes an existing one as a deployment does: fills new indexes, drops old ones, switches
 * time to live. Keys and stream cannot change. Run it before anything writes: a concurrent write may miss a new
 * index.
 */
export async function ensureTable(
  parts: TableParts,
  { TimeToLiveSpecification: timeToLive, ...input }: TableInput,
): Promise<TableDescription> {
  const { catalogue, settings } = parts
  const wanted = describeNew(input, settings)
  const existing = catalogue.tables.get(wanted.TableName)
  if (existing) await adapt(parts, existing, wanted)
  else await catalogue.create(input)

  const table = catalogue.get(wanted.TableName)
  const attribute = timeToLive?.Enabled ? timeToLive.AttributeName : undefined
  if (attribute !== table.timeToLiveAttribute) await setTimeToLive(parts, table, attribute)
  return catalogue.get(wanted.TableName).description
}

async function adapt(parts: TableParts, existing: Table, wanted: TableDescription): Promise<void> {
  const { storage, catalogue } = parts
  const { description } = existing
  for (const fixed of ['KeySchema', 'LocalSecondaryIndexes', 'StreamSpecification'] as const) {
    if (!isDeepStrictEqual(withoutArns(description[fixed]), withoutArns(wanted[fixed]))) {
      throw new Error(
        `Table ${existing.name} exists with another ${fixed}. It cannot be changed: create a new table instead.`,
      )
    }
  }
  const next: TableDescription = { ...description, AttributeDefinitions: wanted.AttributeDefinitions }
  delete next.GlobalSecondaryIndexes
  if (wanted.GlobalSecondaryIndexes) next.GlobalSecondaryIndexes = wanted.GlobalSecondaryIndexes
  const indexes = loadTable({ description: next }).indexes
  const added = indexes.filter((index) => !existing.indexes.some((old) => isSame(old, index)))
  const dropped = existing.indexes.filter((old) => !indexes.some((index) => isSame(old, index)))
  if (added.length === 0 && dropped.length === 0) return

  const { timeToLiveAttribute } = existing
  for (const index of [...dropped, ...added]) await deleteRange(storage, index.prefix)
  // Indexes are filled before the description is stored: after an interruption the next start repeats it.
  await backfill(parts, { ...existing, indexes }, (key, item) =>
    indexOps({ ...existing, indexes: added }, key, undefined, item),
  )
  await catalogue.replace({ description: next, ...(timeToLiveAttribute !== undefined && { timeToLiveAttribute }) })
}

/** Another region or account changes ARNs only, not the table. */
function withoutArns(part: unknown): unknown {
  return Array.isArray(part) ? part.map(({ IndexArn: _, ...rest }) => rest as object) : part
}

function isSame(a: Index, b: Index): boolean {
  return a.name === b.name && isDeepStrictEqual([a.keys, a.projects], [b.keys, b.projects])
}
