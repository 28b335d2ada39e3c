import { isDeepStrictEqual } from 'node:util'
import { Invalid } from '../faults.ts'
import { checkValue } from '../tables/check-value.ts'
import type { Field } from '../tables/schema.ts'
import { errorList, type ErrorList, type Table } from '../tables/table.ts'
import type { Actor } from './deps.ts'
import type { RecordData } from './record-item.ts'
import { standardFields } from './schema.ts'
import { checkTransition } from './state-transitions.ts'

/**
 * The data of a new record: what the caller sent, checked, with defaults and initial states where nothing was sent.
 * Throws Invalid naming every wrong field at once. References are looked up elsewhere.
 */
export function checkNewFields(table: Table, body: RecordData): RecordData {
  const list = errorList()
  const sent = readFields(table, body, undefined, list)
  const data: Record<string, unknown> = {}
  for (const field of table.table_fields) {
    const value = Object.hasOwn(sent, field.name) ? sent[field.name] : initialValue(field)
    if (field.required && (value === undefined || value === null || value === '') && !list.errors[field.name]) {
      list.add(field.name, `The ${field.name} field is required.`)
    }
    if (field.type === 'state_model' && typeof value === 'string' && !field.states?.some(({ slug, is_initial }) => slug === value && is_initial)) {
      if (!list.errors[field.name]) list.add(field.name, `The selected ${field.name} is invalid: a new record begins in ${initialStates(field)}.`)
    }
    if (value !== undefined) data[field.name] = value
  }
  if (list.any) throw new Invalid(list.errors)
  return data
}

/** The merged data of an update: supplied fields overwrite, the rest is kept; required fields may be left out or cleared. */
export function checkChangedFields(table: Table, before: RecordData, body: RecordData, actor: Actor): RecordData {
  const list = errorList()
  const sent = readFields(table, body, before, list)
  for (const [name, value] of Object.entries(sent)) {
    const field = table.fieldsByName.get(name)
    if (field?.type === 'state_model' && !list.errors[name]) {
      const problem = checkTransition(field, before[name], value, actor)
      if (problem) list.add(name, problem)
    }
  }
  if (list.any) throw new Invalid(list.errors)
  return { ...before, ...sent }
}

/** Names of the fields whose value differs; a field without a value and one that is null are the same. */
export const changedFields = (before: RecordData, after: RecordData): string[] =>
  Object.keys(after).filter((name) => !isDeepStrictEqual(before[name] ?? null, after[name] ?? null))

function readFields(table: Table, body: RecordData, before: RecordData | undefined, list: ErrorList): Record<string, unknown> {
  const read: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(body)) {
    const field = table.fieldsByName.get(name)
    if (!field) {
      if (!standardFields.has(name)) list.add(name, `The ${name} field is unknown.`)
    } else if (value === null) {
      read[name] = null
    } else if (before && isDeepStrictEqual(before[name], value)) {
      // Stays valid although the option or state may have been removed since.
      read[name] = value
    } else {
      const checked = checkValue(field, value)
      if ('error' in checked) list.add(name, checked.error)
      else read[name] = checked.value
    }
  }
  return read
}

function initialValue(field: Field): unknown {
  if (field.type === 'state_model') return field.states?.find(({ is_initial }) => is_initial)?.slug
  if (field.default === undefined || field.default === null) return undefined
  const checked = checkValue(field, field.default)
  return 'value' in checked ? checked.value : undefined
}

const initialStates = (field: Field): string => (field.states ?? []).flatMap(({ slug, is_initial }) => (is_initial ? [slug] : [])).join(' or ')
