import { type FieldErrors, Forbidden, Invalid } from '../../../../kernel/failures/faults.ts'
import { permissionMissing } from '../../../../kernel/failures/permission-missing.ts'
import { type Problem, say } from '../../../../kernel/failures/sentence.ts'
import { mayOnTable } from '../../../../kernel/permissions.ts'
import { didYouMean, shown } from '../../../../kernel/text/did-you-mean.ts'
import type { Actor } from '../../../../records/records/actor.ts'
import { guardedText } from '../../../../records/records/write/unique-guards.ts'
import { checkValue } from '../../../../tables/field-types/read-field.ts'
import type { Table } from '../../../../tables/tables/table.ts'
import { importKeys } from '../../../import-mappings/import-mapping.ts'
import type { ImportMode } from '../../../import-mappings/schema.ts'

/** By which field the rows of an import name their records. `one`: a unique field, of which at most one record has a value. */
export interface ImportKey {
  readonly name: string
  readonly is: 'id' | 'one' | 'any'
}

/** How the rows of an import are stored. */
export interface ImportPlan {
  readonly mode: ImportMode
  /** Undefined for `create`. */
  readonly key?: ImportKey
  /** Data of another system: as it is, without hooks and processes. */
  readonly isLegacy: boolean
  /** Rows whose key an earlier row has, and which: they are refused. */
  readonly repeated: ReadonlyMap<number, number>
  /** Rows of a workbook with cells that hold no value, and their fields with why: they are refused. */
  readonly unreadable?: ReadonlyMap<number, FieldErrors>
  /** Whether texts in columns of references are titles or keys of records, as cells of files are read. */
  readonly readsTitles?: boolean
}

/** An import that only creates. */
export const createOnly: ImportPlan = { mode: 'create', isLegacy: false, repeated: new Map() }

/** What a request says of how its rows are stored. */
export interface PlanRequest {
  readonly mode?: ImportMode | undefined
  readonly key?: string | undefined
  readonly legacy?: boolean | undefined
}

/** The plan of an import whose rows are all given. Throws Invalid, and Forbidden without a permission that it needs. */
export function planImport(
  actor: Actor,
  table: Table,
  { mode = 'create', key: named, legacy }: PlanRequest,
  rows: readonly unknown[],
): ImportPlan {
  const isLegacy = legacy === true
  for (const action of mode === 'upsert' ? (['create', 'update'] as const) : [mode])
    if (!mayOnTable(actor, table.name, action)) throw permissionMissing(table.name, action)
  if (isLegacy && !actor.isAdministrator)
    throw new Forbidden('forbidden', 'Only administrators import legacy data: it runs no hooks, and says who made it.')
  if (mode === 'create') {
    if (named !== undefined)
      throw new Invalid({
        key: ['Leave out the key, or send mode: update or upsert. An import that creates finds nothing.'],
      })
    return { mode, isLegacy, repeated: new Map() }
  }
  const key = readKey(actor, table, mode, named)
  return { mode, key, isLegacy, repeated: repeatedKeys(table, key, rows) }
}

function readKey(actor: Actor, table: Table, mode: ImportMode, name: string | undefined): ImportKey {
  const { known, usable } = importKeys(actor, table)
  if (name === undefined)
    throw new Invalid({
      key: [`The mode ${mode} needs a key, the field by which records are found: ${usable.join(', ')}.`],
    })
  if (name === 'id') return { name, is: 'id' }
  if (!known.includes(name))
    throw new Invalid({ key: [`The ${shown(name)} field is unknown.${didYouMean(name, usable)}`] })
  if (!usable.includes(name))
    throw new Invalid({
      key: [`The ${name} field is no key: it is neither unique nor searchable. Use one of ${usable.join(', ')}.`],
    })
  if (!mayOnTable(actor, table.name, 'read')) throw permissionMissing(table.name, 'read')
  return { name, is: table.uniqueFields.includes(name) ? 'one' : 'any' }
}

/** The value of a row's key, and the text by which values are the same; an error, or undefined when the row has none. */
export function keyOfRow(
  table: Table,
  { name, is }: ImportKey,
  row: unknown,
): { readonly value: unknown; readonly text: string } | { readonly error: Problem } | undefined {
  const given = typeof row === 'object' && row !== null ? (row as Record<string, unknown>)[name] : undefined
  if (given === undefined || given === null || given === '') return undefined
  if (is === 'id') {
    const id = typeof given === 'string' && /^\d{1,15}$/.test(given.trim()) ? Number(given) : given
    if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1)
      return { error: 'The id must be the id of a record: a positive integer.' }
    return { value: id, text: String(id) }
  }
  const field = table.fieldsByName.get(name)
  const checked = field && checkValue(field, given)
  if (!checked || 'error' in checked) return { error: checked?.error ?? say('invalid', { field: name }) }
  const text = guardedText(table, name, checked.value)
  return text === undefined ? undefined : { value: checked.value, text }
}

/** Rows whose key an earlier row has, and which. */
export function repeatedKeys(table: Table, key: ImportKey, rows: readonly unknown[]): Map<number, number> {
  const first = new Map<string, number>()
  const repeated = new Map<number, number>()
  for (const [index, row] of rows.entries()) {
    const found = keyOfRow(table, key, row)
    if (!found || 'error' in found) continue
    const earlier = first.get(found.text)
    if (earlier === undefined) first.set(found.text, index)
    else repeated.set(index, earlier)
  }
  return repeated
}
