import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { foldsCase, typeOfField } from '../field-types/read-field.ts'
import { storedAsIn } from './retired-fields.ts'
import type { Field } from './schema.ts'
import { searchedFields } from './searched-fields.ts'
import type { StoredTable, Table } from './table.ts'

/** The state of a table's unique values after a change, and what has to be made anew from its records. */
export interface RebuildPlan {
  readonly unique: Pick<StoredTable, 'becoming_unique' | 'unique_since'>
  /** The parts to make anew; undefined when the change leaves the records alone. */
  readonly parts?: { readonly columns?: true; readonly derived?: true }
}

/**
 * Plans the change of a table to `next` at `version`. The records need a rebuild when a field with values becomes
 * unique, because each value needs a guard, when other fields are searched, because the words of every record change, and
 * when a formula or rollup is another one. What a replaced rebuild had still to do is part of the new one.
 */
export function planRebuild(
  before: Table,
  next: Pick<StoredTable, 'table_fields' | 'title_field' | 'stored_as'>,
  version: number,
  isEmpty: boolean,
): RebuildPlan {
  const newlyUnique = next.table_fields
    .filter(
      (field) =>
        field.unique &&
        // Guards of texts in any case have other keys.
        !(before.uniqueFields.includes(field.name) && before.foldedFields.has(field.name) === foldsCase(field)),
    )
    .map(({ name }) => name)
  const unique_since = uniqueSince(before, next, newlyUnique, version)
  const derived = derivedFields(before)
  const others = [...derivedFields(next)].filter(([name, own]) => !isDeepStrictEqual(derived.get(name), own))
  // Records that refer to a new one count once their writers know of the rollup: until then the new one may miss some.
  const isAwaited = others.some(([name]) => next.table_fields.find((field) => field.name === name)?.type === 'rollup')
  if (isEmpty) return { unique: { unique_since }, ...(isAwaited && { parts: { derived: true } }) }
  const stillBecoming = (before.becoming_unique ?? []).filter((name) =>
    next.table_fields.some((field) => field.name === name && field.unique),
  )
  const withValues = newlyUnique.filter((name) => hasValues(before, name))
  const becoming_unique = [...new Set([...stillBecoming, ...withValues])]
  const searchesOthers = !isDeepStrictEqual(searchedAs(before, before.stored_as), searchedAs(next, next.stored_as))
  const derivesOthers = others.length > 0
  const isRequired =
    withValues.length > 0 ||
    searchesOthers ||
    derivesOthers ||
    (becoming_unique.length > 0 && before.rebuilding === undefined)
  return {
    unique: { becoming_unique, unique_since },
    ...(isRequired && {
      parts: {
        ...((searchesOthers || before.rebuilding?.columns) && { columns: true as const }),
        ...((derivesOthers || before.rebuilding?.derived) && { derived: true as const }),
      },
    }),
  }
}

/** The derived fields with the settings that decide their values. */
const derivedFields = ({ table_fields }: Pick<StoredTable, 'table_fields'>): ReadonlyMap<string, object> =>
  new Map(
    table_fields
      .filter((field) => typeOfField(field).isDerived)
      // What follows from the id is never made anew.
      .map((field) => (typeOfField(field).generate ? { name: field.name } : field) as Field)
      .map(({ label: _label, description: _description, indexed: _indexed, ...own }) => [own.name, own]),
  )

/**
 * The versions at which fields became unique. They are part of the guards' keys, so that guards of an earlier time are
 * void.
 */
function uniqueSince(
  before: Table,
  { table_fields, stored_as }: Pick<StoredTable, 'table_fields' | 'stored_as'>,
  newlyUnique: readonly string[],
  version: number,
): Record<string, number> {
  const kept = Object.entries(before.unique_since ?? {}).filter(
    ([stored]) => !table_fields.some((field) => storedAsIn(stored_as, field.name) === stored && !field.unique),
  )
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(newlyUnique.map((name) => [storedAsIn(stored_as, name), version])),
  }
}

/** The columns that are searched, in their order, with their weights. */
const searchedAs = (
  table: Pick<StoredTable, 'table_fields' | 'title_field'>,
  stored_as: StoredTable['stored_as'],
): readonly unknown[] => searchedFields(table).map(({ name, weight }) => [storedAsIn(stored_as, name), weight])

const hasValues = (before: Table, name: string): boolean =>
  [...before.table_fields, ...before.retired].some((field) => field.name === name)

/** The kind of job that applies a table's configuration to its records. */
export const rebuildKind = 'rebuild'

export const RebuildInput = z.object({ model: z.string() })
export type RebuildInput = z.output<typeof RebuildInput>
