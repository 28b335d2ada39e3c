import { byName } from '../../../kernel/collections/own-members.ts'
import { didYouMean } from '../../../kernel/text/did-you-mean.ts'
import { ErrorList } from '../error-list.ts'
import type { Field } from '../schema.ts'
import { systemTable } from '../system-tables.ts'
import { readStoredTable, type Table } from '../table.ts'

/** New names by the names that fields have. */
export type Renames = ReadonlyMap<string, string>

export interface PlannedRenames {
  /** The fields without `renamed_from`, which is no setting of a field. */
  readonly table_fields: Field[]
  readonly renames: Renames
  /** Former names by name, of all fields that say so and are called so now: a document that is sent again says no more. */
  readonly renamed: Readonly<Record<string, string>>
  readonly errors: ErrorList
}

/** A field as its document has it, without what only its change needs. */
export const withoutRename = ({ renamed_from: _former, ...field }: Field): Field => field as Field

/** Which fields of a table a document renames. A document may be sent again: a field that has its new name is left alone. */
export function planRenames(
  before: Pick<Table, 'name' | 'fieldsByName' | 'renamed'>,
  next: readonly Field[],
): PlannedRenames {
  const errors = new ErrorList()
  const renames = new Map<string, string>()
  const renamed = byName<string>()
  const names = new Set(next.map(({ name }) => name))
  const isDone = ({ name, renamed_from: former }: Field): boolean =>
    before.fieldsByName.has(name) && (before.renamed?.[name] === former || !before.fieldsByName.has(former ?? ''))
  const open = openRenames(next, before, isDone)
  const sources = new Set([...open].map(({ renamed_from: former }) => former))
  for (const [index, field] of next.entries()) {
    const { name, renamed_from: former } = field
    if (former === undefined) continue
    const add = (message: string): void => errors.add(`table_fields.${index}.renamed_from`, message)
    if (former === name) add('A field cannot be renamed from its own name.')
    else if (!open.has(field)) {
      if (before.renamed?.[name] === former) renamed[name] = former
    } else if (!before.fieldsByName.has(former))
      add(`There is no field ${former} in ${before.name}.${didYouMean(former, before.fieldsByName.keys())}`)
    else if (renames.has(former)) add(`The field ${former} becomes ${renames.get(former)} already.`)
    else if (isBuiltIn(before.name, former))
      add(`The field ${former} of ${before.name} is built in and keeps its name.`)
    else if (before.fieldsByName.has(name) && !sources.has(name))
      add(
        names.has(former)
          ? `The table has both ${former} and ${name}: one of them has to go, or to be renamed too.`
          : `The table has a field ${name} already, with values of its own. Remove it in a change before this one, then rename ${former}.`,
      )
    else {
      renames.set(former, name)
      renamed[name] = former
    }
  }
  return { table_fields: next.map(withoutRename), renames, renamed: { ...renamed }, errors }
}

/** The fields that are still to be renamed. One that has its name already is, when that name goes to another field now. */
function openRenames(
  next: readonly Field[],
  before: Pick<Table, 'fieldsByName'>,
  isDone: (field: Field) => boolean,
): ReadonlySet<Field> {
  const asking = next.filter(({ renamed_from: former }) => former !== undefined)
  const open = new Set(asking.filter((field) => !isDone(field)))
  for (let size = -1; size !== open.size;) {
    size = open.size
    const sources = new Set([...open].map(({ renamed_from: former }) => former))
    for (const field of asking)
      if (sources.has(field.name) && before.fieldsByName.has(field.renamed_from ?? '')) open.add(field)
  }
  return open
}

const isBuiltIn = (table: string, field: string): boolean => {
  const row = systemTable(table)
  return row !== undefined && readStoredTable(row).table_fields.some(({ name }) => name === field)
}

/** The fields of a document, of which only those that are still to be renamed say so. */
export function withoutDoneRenames(
  before: Pick<Table, 'name' | 'fieldsByName' | 'renamed'>,
  next: readonly Field[],
): Field[] {
  const { renames } = planRenames(before, next)
  return next.map((field) => (renames.get(field.renamed_from ?? '') === field.name ? field : withoutRename(field)))
}
