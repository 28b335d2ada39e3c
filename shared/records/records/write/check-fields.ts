import { isDeepStrictEqual } from 'node:util'
import { own } from '../../../kernel/collections/own-members.ts'
import { Invalid } from '../../../kernel/failures/faults.ts'
import { type Problem, say } from '../../../kernel/failures/sentence.ts'
import { type nearestWord, openSuggestions, shown } from '../../../kernel/text/did-you-mean.ts'
import { checkValue, typeOfField } from '../../../tables/field-types/read-field.ts'
import { ErrorList } from '../../../tables/tables/error-list.ts'
import type { Field } from '../../../tables/tables/schema.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Actor } from '../actor.ts'
import type { RecordData } from '../record-item.ts'
import { checkConditions, isEmpty, isVisible, lacking } from '../rules/check-conditions.ts'
import type { FieldRules } from '../rules/open-rules.ts'
import { standardFields } from '../schema.ts'
import { type FieldAccess, fieldAccess, fieldPlan, mayRead, maySend, mayWrite } from './field-access.ts'

/**
 * The checked data of a new record, with defaults and initial states for what was not sent. Throws Invalid naming every
 * wrong field. Does not look up references. `access`: of who chose the values; default: all fields, as for scripts.
 * `isLegacy`: data of another system, which may be in any state, has its own numbers and meets no conditions.
 */
export function checkNewFields(
  table: Table,
  body: RecordData,
  rules: FieldRules | undefined,
  access: FieldAccess = {},
  { isLegacy = false } = {},
): RecordData {
  const list = new ErrorList()
  const sent = readFields(table, body, { rules, access, restores: isLegacy, isLegacy }, list)
  const data = new Map<string, unknown>()
  const initial = new Map<string, unknown>()
  const plan = fieldPlan(table)
  for (const { field, type } of plan.fields) {
    const { name } = field
    const { lifecycle, generate } = type
    // It follows from the id, which is taken last.
    if (generate) {
      if (isLegacy && (sent[name] ?? null) !== null) data.set(name, sent[name])
      continue
    }
    // A new record always has a state: nothing or null stands for the initial one.
    const given = Object.hasOwn(sent, name) && !(lifecycle && sent[name] === null)
    const unsent = given && !field.readonly_if ? undefined : initialValue(field, rules)
    if (unsent !== undefined) initial.set(name, unsent)
    const value = given ? sent[name] : unsent
    if (lifecycle && !isLegacy && typeof value === 'string' && !list.errors[name]) {
      const states = lifecycle.initial(field)
      if (!states.includes(value)) list.add(name, say('not_initial', { field: name, allowed: states }))
    }
    if (value !== undefined) data.set(name, value)
  }
  const after = Object.fromEntries(data)
  for (const field of plan.required)
    if (isEmpty(data.get(field.name)) && !list.errors[field.name] && isVisible(rules, field, after))
      list.add(field.name, lacking(access, field.name))
  if (rules && !isLegacy) checkConditions(table, rules, { before: Object.fromEntries(initial), after, access }, list)
  if (list.any) throw new Invalid(list.problems)
  return after
}

/** How an update is checked. */
export interface ChangeCheck {
  readonly rules: FieldRules | undefined
  /** Of who chose the values; default: all fields, as for scripts. */
  readonly access?: FieldAccess
  /** A past state is brought back: it may be reached without a transition, keeps what is offered no longer, and meets no conditions. */
  readonly restores?: boolean
  /** A change that no condition of the table may refuse. */
  readonly withoutConditions?: boolean
}

/**
 * The checked data of an update: supplied fields overwrite, others are kept. Required fields may be left out or
 * cleared.
 */
export function checkChangedFields(
  table: Table,
  before: RecordData,
  body: RecordData,
  actor: Actor,
  { rules, access = {}, restores = false, withoutConditions = restores }: ChangeCheck,
): RecordData {
  const list = new ErrorList()
  const sent = readFields(table, body, { before, rules, access, restores }, list)
  for (const [name, value] of restores ? [] : Object.entries(sent)) {
    const field = table.fieldsByName.get(name)
    const lifecycle = field && typeOfField(field).lifecycle
    if (lifecycle && !list.errors[name]) {
      const problem = lifecycle.checkMove(field, own(before, name), value, actor)
      // The problem names the current state.
      if (problem) list.add(name, mayRead(access, name) ? problem : say('move_hidden', { field: name }))
    }
  }
  const after = { ...before, ...sent }
  // An update that changes nothing is none.
  if (rules && !withoutConditions && changedFields(before, after).length > 0)
    checkConditions(table, rules, { before, after, access, mover: actor }, list)
  if (list.any) throw new Invalid(list.problems)
  return after
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
  check: ChangeCheck,
): RecordData {
  const given = {
    ...Object.fromEntries(
      table.table_fields.filter(({ name }) => Object.hasOwn(merged, name)).map(({ name }) => [name, null]),
    ),
    ...made,
  }
  const changed = changedFields(merged, given)
  const asked = Object.fromEntries(changed.map((name) => [name, given[name]]))
  const mover = { ...actor, isAdministrator: true }
  // Conditions look at the whole record, which has other changes than those of the hook.
  const checked = checkChangedFields(table, before, asked, mover, { rules: check.rules, withoutConditions: true })
  const after = {
    ...merged,
    ...Object.fromEntries(
      Object.keys(checked)
        .filter((name) => changed.includes(name))
        .map((name) => [name, checked[name]]),
    ),
  }
  if (check.rules && !check.withoutConditions && !check.restores && changedFields(before, after).length > 0) {
    const list = new ErrorList()
    checkConditions(table, check.rules, { before, after, access: {}, mover }, list)
    if (list.any) throw new Invalid(list.problems)
  }
  return after
}

/** The data of a record that is restored: any state is allowed, and fields that became required later may be empty. */
export function checkRestoredFields(table: Table, body: RecordData, rules: FieldRules | undefined): RecordData {
  const list = new ErrorList()
  const read = readFields(table, body, { rules, restores: true }, list)
  if (list.any) throw new Invalid(list.problems)
  return read
}

/** The data of a record with the values that follow from its id. `kept`: what a deleted record had. */
export function withGenerated(table: Table, id: number, data: RecordData, kept: RecordData = {}): RecordData {
  const made = fieldPlan(table).generated.flatMap((field): [string, unknown][] => {
    const { generate } = typeOfField(field)
    return generate && (own(data, field.name) ?? null) === null
      ? [[field.name, generate(field, id, own(kept, field.name))]]
      : []
  })
  return made.length === 0 ? data : { ...data, ...Object.fromEntries(made) }
}

/** The fields of a body that are valid by themselves, as they would be stored. Invalid ones are left out. */
export const validFields = (table: Table, body: RecordData, before?: RecordData): RecordData =>
  readFields(table, body, { before, rules: undefined }, new ErrorList())

/** Names of the fields whose values differ. No value and null are the same. */
export const changedFields = (before: RecordData, after: RecordData): string[] =>
  Object.keys(after).filter((name) => !isDeepStrictEqual(own(before, name) ?? null, after[name] ?? null))

/** Throws Invalid for values that the actor can set in no record of the table, whatever it holds: unknown fields, wrong types. */
export function requireSoundValues(table: Table, body: RecordData, actor: Actor): void {
  const list = new ErrorList()
  readFields(table, body, { rules: undefined, access: fieldAccess(actor, table.name, 'update') }, list)
  if (list.any) throw new Invalid(list.problems)
}

interface Reading {
  readonly before?: RecordData | undefined
  readonly rules: FieldRules | undefined
  readonly access?: FieldAccess
  readonly restores?: boolean
  /** The service's own numbers are taken as they are given. */
  readonly isLegacy?: boolean
}

function readFields(
  table: Table,
  body: RecordData,
  { before, rules, access = {}, restores = false, isLegacy = false }: Reading,
  list: ErrorList,
): Record<string, unknown> {
  const read = new Map<string, unknown>()
  const nearest = openSuggestions()
  for (const [name, value] of Object.entries(body)) {
    const field = table.fieldsByName.get(name)
    if (!field) {
      if (!standardFields.has(name)) list.add(name, unknownField(table, name, access, nearest))
    } else if (!maySend(access, name, value, before)) {
      list.add(name, say('not_yours_to_change', {}))
    } else if (isDerived(field) && !isKept(before, name, value) && !(isLegacy && typeOfField(field).generate)) {
      list.add(name, say('made_by_service', { field: name }))
    } else if (value === null) {
      read.set(name, null)
    } else if (before && isDeepStrictEqual(own(before, name), value)) {
      // An unchanged value stays valid, even when its option or state was removed since.
      read.set(name, value)
    } else {
      const checked = checkValue(field, value, restores ? value : before && own(before, name))
      const problem = 'error' in checked ? checked.error : rules?.patternProblem(field, checked.value)
      if (problem !== undefined) list.add(name, problem)
      else if ('value' in checked) read.set(name, checked.value)
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
const unknownField = (table: Table, name: string, access: FieldAccess, nearest: typeof nearestWord): Problem => {
  const known = [...table.fieldsByName.keys()].filter((one) => mayRead(access, one) || mayWrite(access, one))
  const field = shown(name)
  return name === 'data'
    ? say('fields_inside_data', { field })
    : say('unknown_field', { field, nearest: nearest(name, known) })
}

/** The value of a new record that does not send the field; undefined for none. */
export function initialValue(field: Field, rules: FieldRules | undefined): unknown {
  const { lifecycle, newValue } = typeOfField(field)
  if (lifecycle) return lifecycle.initial(field)[0]
  if (newValue) return newValue(field)
  const given = rules ? rules.defaultOf(field) : field.default
  if (given === undefined || given === null) return undefined
  const checked = checkValue(field, given)
  return 'value' in checked ? checked.value : undefined
}
