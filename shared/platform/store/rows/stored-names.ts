import type { NamesTables, RenamedTables } from '../../../kernel/table-names.ts'
import type { TenantChange } from '../config.ts'
import { readJson } from '../values/json-attribute.ts'
import type { Item } from '../values/marshal.ts'
import { and, equals, exists, lacks } from '../writes/conditions.ts'

/**
 * Under which names a table's records store their fields. A field keeps its stored name when it is renamed, so that no
 * record, history entry, column or guard has to be written anew. Undefined while every field is stored under its own.
 */
export interface StoredNames {
  /** Stored name by name, of fields and removed fields whose names differ. */
  readonly storedByName: ReadonlyMap<string, string>
  readonly nameByStored: ReadonlyMap<string, string>
}

/** A table as far as it decides under which names fields are stored. */
export interface NamedFields {
  readonly storedNames?: StoredNames | undefined
}

/** For readers of records who want them as they are stored: history, columns and the like. */
export const asStored: NamedFields = {}

/** What is left of a removed field whose name another field has by now: no field can be called so. */
const supersededMark = '~removed'

/** The name that a removed field gets when another one has its name. */
export const supersededName = (stored: string): string => stored + supersededMark

/** The name under which records store a field. */
export function storedName({ storedNames }: NamedFields, name: string): string {
  if (!storedNames) return name
  const stored = storedNames.storedByName.get(name)
  return stored ?? (name.endsWith(supersededMark) ? name.slice(0, -supersededMark.length) : name)
}

/** The name of the field that records store under a name. */
export function nameOfStored({ storedNames }: NamedFields, stored: string): string {
  if (!storedNames) return stored
  // A name that is in use is the stored name of a field that nobody knows any more.
  return (
    storedNames.nameByStored.get(stored) ?? (storedNames.storedByName.has(stored) ? supersededName(stored) : stored)
  )
}

/** Values by the names of their fields, from values by stored name. */
export const withNames = <T>(fields: NamedFields, stored: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  fields.storedNames
    ? Object.fromEntries(Object.entries(stored).map(([name, value]) => [nameOfStored(fields, name), value]))
    : stored

/** Values by stored name, from values by the names of their fields. */
export const withStoredNames = <T>(
  fields: NamedFields,
  data: Readonly<Record<string, T>>,
): Readonly<Record<string, T>> =>
  fields.storedNames
    ? Object.fromEntries(Object.entries(data).map(([name, value]) => [storedName(fields, name), value]))
    : data

/*
 * The names of renamed tables are an attribute of the tenant's row, which every request reads: a tenant without such a
 * table pays nothing, and every instance knows a new name with the next request.
 */

const attribute = 'renamed_tables'

/** The renamed tables in the row of a tenant. */
export const readRenamedTables = (item: Item): NamesTables =>
  item[attribute] === undefined ? {} : { renamedTables: readJson<RenamedTables>(item, attribute) }

/** The change of a tenant's row from one state of its names to another, on condition that nobody changed them meanwhile. */
export function changeRenamedTables(item: Item, after: RenamedTables | undefined): TenantChange {
  const before = item[attribute]
  return {
    ...(after ? { set: { [attribute]: JSON.stringify(after) } } : before !== undefined && { remove: [attribute] }),
    if: and(exists, before === undefined ? lacks(attribute) : equals(attribute, String(before))),
  }
}
