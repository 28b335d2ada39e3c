import { isDeepStrictEqual } from 'node:util'
import { own } from '../../../kernel/collections/own-members.ts'
import { Invalid } from '../../../kernel/failures/faults.ts'
import { didYouMean, shown } from '../../../kernel/text/did-you-mean.ts'
import { type nearestWord, openSuggestions } from '../../../kernel/text/nearest-word.ts'
import { checkValue, typeOfField } from '../../../tables/field-types/service.ts'
import type { Field } from '../../../tables/tables/schema.ts'
import { ErrorList, type Table } from '../../../tables/tables/service.ts'
import type { Actor } from '../actor.ts'
import type { RecordData } from '../record-item.ts'
import { standardFields } from '../schema.ts'
import { type FieldAccess, mayRead, maySend, mayWrite } from './field-access.ts'

/**
 * The checked data of a new record, with defaults and initial states for what was not sent. Throws Invalid naming every
 * wrong field. Does not look up references. `access`: of who chose the values; default: all fields, as for scripts.
 */
export function checkNewFields(table: Table, body: RecordData, access: FieldAccess = {}): RecordData {
  const list = new ErrorList()
  const sent = readFields(table, body, undefined, list, access)
  const data = new Map<string, unknown>()
  for (const field of table.table_fields) {
    const given = Object.hasOwn(sent, field.name)
    const { lifecycle } = typeOfField(field)
    // A new record always has a state: nothing or null stands for the initial one.
    const value = given && !(lifecycle && sent[field.name] === null) ? sent[field.name] : initialValue(field)
    if (field.required && isEmpty(value) && !list.errors[field.name]) {
      list.add(
        field.name,
        mayWrite(access, field.name)
          ? `The ${field.name} field is required.`
          : `The ${field.name} field is required, has no default, and you may not set it. Ask an administrator.`,
      )
    }
    if (lifecycle && typeof value === 'string' && !list.errors[field.name]) {
      const initial = lifecycle.initial(field)
      if (!initial.includes(value))
        list.add(field.name, `The selected ${field.name} is invalid: a new record begins in ${initial.join(' or ')}.`)
    }
    if (value !== undefined) data.set(field.name, value)
  }
  if (list.any) throw new Invalid(list.errors)
  return Object.fromEntries(data)
}

/**
 * The checked data of an update: supplied fields overwrite, others are kept. Required fields may be left out or
 * cleared. `access`: of who chose the values; default: all fields, as for scripts.
 */
export function checkChangedFields(
  table: Table,
  before: RecordData,
  body: RecordData,
  actor: Actor,
  { transitions = true, access = {} }: { readonly transitions?: boolean; readonly access?: FieldAccess } = {},
): RecordData {
  const list = new ErrorList()
  const sent = readFields(table, body, before, list, access)
  for (const [name, value] of transitions ? Object.entries(sent) : []) {
    const field = table.fieldsByName.get(name)
    const lifecycle = field && typeOfField(field).lifecycle
    if (lifecycle && !list.errors[name]) {
      const problem = lifecycle.checkMove(field, own(before, name), value, actor)
      // The problem names the current state.
      if (problem) list.add(name, mayRead(access, name) ? problem : `The ${name} may not move to this state.`)
    }
  }
  if (list.any) throw new Invalid(list.errors)
  return { ...before, ...sent }
}

/**
 * The data of an update after its before_update hooks. What they changed is checked like any update, but state changes
 * are not limited by the caller's roles. A field that a hook deleted from `$data` is cleared.
 */
export function checkHookedFields(
  table: Table,
  before: RecordData,
  merged: RecordData,
  made: RecordData,
  actor: Actor,
): RecordData {
  const given = {
    ...Object.fromEntries(
      table.table_fields.filter(({ name }) => Object.hasOwn(merged, name)).map(({ name }) => [name, null]),
    ),
    ...made,
  }
  const changed = changedFields(merged, given)
  const asked = Object.fromEntries(changed.map((name) => [name, given[name]]))
  const checked = checkChangedFields(table, before, asked, { ...actor, isAdministrator: true })
  return {
    ...merged,
    ...Object.fromEntries(
      Object.keys(checked)
        .filter((name) => changed.includes(name))
        .map((name) => [name, checked[name]]),
    ),
  }
}

/** The data of a record that is restored: any state is allowed, and fields that became required later may be empty. */
export function checkRestoredFields(table: Table, body: RecordData): RecordData {
  const list = new ErrorList()
  const read = readFields(table, body, undefined, list, {})
  if (list.any) throw new Invalid(list.errors)
  return read
}

/** The fields of a body that are valid by themselves, as they would be stored. Invalid ones are left out. */
export const validFields = (table: Table, body: RecordData, before?: RecordData): RecordData =>
  readFields(table, body, before, new ErrorList(), {})

/** Names of the fields whose values differ. No value and null are the same. */
export const changedFields = (before: RecordData, after: RecordData): string[] =>
  Object.keys(after).filter((name) => !isDeepStrictEqual(own(before, name) ?? null, after[name] ?? null))

function readFields(
  table: Table,
  body: RecordData,
  before: RecordData | undefined,
  list: ErrorList,
  access: FieldAccess,
): Record<string, unknown> {
  const read = new Map<string, unknown>()
  const nearest = openSuggestions()
  for (const [name, value] of Object.entries(body)) {
    const field = table.fieldsByName.get(name)
    if (!field) {
      if (!standardFields.has(name)) list.add(name, unknownField(table, name, access, nearest))
    } else if (!maySend(access, name, value, before)) {
      list.add(name, 'You may not change this field.')
    } else if (isDerived(field) && !isKept(before, name, value)) {
      list.add(name, `The ${name} field is read-only: the service makes its value. Leave it out.`)
    } else if (value === null) {
      read.set(name, null)
    } else if (before && isDeepStrictEqual(own(before, name), value)) {
      // An unchanged value stays valid, even when its option or state was removed since.
      read.set(name, value)
    } else {
      const checked = checkValue(field, value)
      if ('error' in checked) list.add(name, checked.error)
      else read.set(name, checked.value)
    }
  }
  return Object.fromEntries(read)
}

/** The value that a record has may be sent back, as with every field. */
const isKept = (before: RecordData | undefined, name: string, value: unknown): boolean =>
  before !== undefined && isDeepStrictEqual(own(before, name) ?? null, value)

const isDerived = (field: Field): boolean => typeOfField(field).isDerived === true

/** The fields that may be written: what the service makes is left out. */
export const withoutDerived = (table: Pick<Table, 'table_fields'>, data: RecordData): RecordData => {
  const names = new Set(table.table_fields.filter(isDerived).map(({ name }) => name))
  return names.size === 0 ? data : Object.fromEntries(Object.entries(data).filter(([name]) => !names.has(name)))
}

/** The fields that a hook left or set, without read-only ones that it left as they were. */
export const withoutKept = (table: Pick<Table, 'fieldsByName'>, given: RecordData, made: RecordData): RecordData =>
  Object.fromEntries(
    Object.entries(made).filter(([name, value]) => {
      const field = table.fieldsByName.get(name)
      return !(field && isDerived(field) && isKept(given, name, value))
    }),
  )

/** Names the nearest field that the writer may know of. */
const unknownField = (table: Table, name: string, access: FieldAccess, nearest: typeof nearestWord): string => {
  const known = [...table.fieldsByName.keys()].filter((one) => mayRead(access, one) || mayWrite(access, one))
  const advice = name === 'data' ? ' Send the fields themselves, not inside data.' : didYouMean(name, known, nearest)
  return `The ${shown(name)} field is unknown.${advice}`
}

function initialValue(field: Field): unknown {
  const { lifecycle, newValue } = typeOfField(field)
  if (lifecycle) return lifecycle.initial(field)[0]
  if (newValue) return newValue(field)
  if (field.default === undefined || field.default === null) return undefined
  const checked = checkValue(field, field.default)
  return 'value' in checked ? checked.value : undefined
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
