import { own } from '../../../kernel/collections/own-members.ts'
import { typeOfField } from '../../../tables/field-types/read-field.ts'
import type { Field } from '../../../tables/tables/schema.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Actor } from '../actor.ts'
import type { RecordData } from '../record-item.ts'
import { fits, isVisible, requiredMoveFields } from '../rules/check-conditions.ts'
import type { FieldRules } from '../rules/open-rules.ts'
import { type FieldAccess, mayRead, mayWrite } from '../write/field-access.ts'
import type { RecordForm } from './schema.ts'

type FormField = RecordForm['fields'][number]
type OpenTransition = RecordForm['transitions'][number]

/** What a form shows: a record, or a new one with its defaults. */
export interface Shown {
  /** As the caller sees it. */
  readonly table: Table
  readonly data: RecordData
  readonly isNew: boolean
  readonly rules: FieldRules | undefined
  /** Nothing is writable for a caller who may not change the record. */
  readonly access: FieldAccess
}

/** The fields of a form, in the order of the table. */
export const formFields = (shown: Shown): FormField[] =>
  shown.table.table_fields
    .filter(({ name }) => mayRead(shown.access, name) || mayWrite(shown.access, name))
    .map((field) => formField(shown, field))

function formField({ data, isNew, rules, access }: Shown, field: Field): FormField {
  const { name, label = name, description, type, required = false, required_if, readonly_if } = field
  const visible = isVisible(rules, field, data)
  const options = optionsOf(field, mayRead(access, name) ? own(data, name) : undefined, isNew)
  return {
    name,
    label,
    ...(description !== undefined && { description }),
    type,
    required: visible && (required || holds(rules, required_if, data)),
    readonly: !mayWrite(access, name) || typeOfField(field).isDerived === true || holds(rules, readonly_if, data),
    visible,
    ...(options && { options }),
    settings: settingsOf(field),
  }
}

const holds = (rules: FieldRules | undefined, condition: Field['required_if'], data: RecordData): boolean =>
  condition !== undefined && (rules?.holds(condition, data) ?? false)

/** The active values that a field offers, and those that the record has; of a new record the states that it may begin in. */
function optionsOf(field: Field, value: unknown, isNew: boolean): FormField['options'] {
  const { choices, lifecycle } = typeOfField(field)
  if (!choices) return undefined
  const held: readonly unknown[] = Array.isArray(value) ? value : [value]
  const begins = lifecycle && isNew ? new Set(lifecycle.initial(field)) : undefined
  return choices
    .of(field)
    .filter(({ slug, is_active }) => begins?.has(slug) ?? (is_active !== false || held.includes(slug)))
    .map(({ slug, label = slug, color }) => ({ slug, label, ...(color !== undefined && { color }) }))
}

/** What forms have in members of their own, or what does not concern them. */
const apart = new Set(['name', 'label', 'description', 'type', 'required', 'default', 'indexed', 'searchable'])
const listed = new Set(['options', 'states', 'transitions'])

const settingsOf = (field: Field): FormField['settings'] =>
  Object.fromEntries(Object.entries(field).filter(([setting]) => !apart.has(setting) && !listed.has(setting)))

/** The moves that an actor may make with a record as it is, in the order of the table. */
export function openTransitions({ table, data, isNew, rules, access }: Shown, actor: Actor): OpenTransition[] {
  if (isNew) return []
  return table.table_fields.flatMap((field) => {
    const { name } = field
    const { lifecycle, choices } = typeOfField(field)
    const from = own(data, name)
    if (!lifecycle || typeof from !== 'string' || !mayRead(access, name) || !mayWrite(access, name)) return []
    const labels = new Map(choices?.of(field).map(({ slug, label = slug }) => [slug, label]))
    return lifecycle.movesFrom(field, from, actor).flatMap((move) => {
      const after = { ...data, [name]: move.to }
      if (!fits(rules, move, after) || holds(rules, field.readonly_if, after)) return []
      const required_fields = requiredMoveFields(table, rules, move, after).filter(
        (one) => mayRead(access, one) || mayWrite(access, one),
      )
      return [{ field: name, from, to: move.to, label: move.label ?? labels.get(move.to) ?? move.to, required_fields }]
    })
  })
}
