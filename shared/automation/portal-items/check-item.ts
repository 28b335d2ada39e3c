import { byName } from '../../kernel/collections/own-members.ts'
import { type FieldErrors, Invalid } from '../../kernel/failures/faults.ts'
import type { Problem } from '../../kernel/failures/sentence.ts'
import { unrestricted } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { didYouMean, listed } from '../../kernel/text/did-you-mean.ts'
import { requireSoundValues } from '../../records/records/write/check-fields.ts'
import { isFinalState, typeOfField } from '../../tables/field-types/read-field.ts'
import type { Table } from '../../tables/tables/table.ts'
import { defaultsFor, isWritable, type PortalItem, stateField, stateFields } from './portal-item.ts'

/** What an item may name. A configuration document adds what it makes. */
export interface ItemNames {
  readonly find: (name: string) => Promise<Table | undefined>
  readonly tables: () => Promise<readonly string[]>
  readonly roles: () => Promise<readonly string[]>
}

export type CheckedItem = Pick<
  PortalItem,
  'model' | 'fields' | 'defaults' | 'roles' | 'state_field' | 'public_states' | 'public_fields' | 'reopen_state'
>

/** The errors of an item against its table, by path. */
export async function checkItem(names: ItemNames, tenant: Tenant, item: CheckedItem): Promise<FieldErrors> {
  const errors: FieldErrors = byName()
  const add = (path: string, problem: Problem): void => {
    errors[path] = [...(errors[path] ?? []), problem]
  }
  const known = item.roles?.length ? await names.roles() : []
  for (const [index, role] of (item.roles ?? []).entries())
    if (!known.includes(role)) add(`roles.${index}`, `There is no role ${role}.${didYouMean(role, known)}`)
  const table = await names.find(item.model)
  if (!table) {
    add('model', `There is no table ${item.model}.${didYouMean(item.model, await names.tables())}`)
    return errors
  }
  checkFields(table, item, add)
  checkDefaults(table, tenant, item, add)
  checkStates(table, item, add)
  return errors
}

type Add = (path: string, problem: Problem) => void

function checkFields(table: Table, { fields, public_fields, defaults }: CheckedItem, add: Add): void {
  const all = table.table_fields.map(({ name }) => name)
  const unknown = (name: string): string => `The table ${table.name} has no field ${name}.${didYouMean(name, all)}`
  for (const [index, name] of fields.entries()) {
    const field = table.fieldsByName.get(name)
    if (!field) add(`fields.${index}`, unknown(name))
    else if (!isWritable(field))
      add(`fields.${index}`, `The field ${name} is made by the service, so a form cannot ask for it.`)
    else if (fields.indexOf(name) < index) add(`fields.${index}`, `The field ${name} is named twice.`)
  }
  for (const [index, name] of (public_fields ?? []).entries())
    if (!table.fieldsByName.has(name)) add(`public_fields.${index}`, unknown(name))
  const set = new Set([...fields, ...Object.keys(defaults ?? {})])
  for (const field of table.table_fields) {
    const { name, required, default: preset, visible_if } = field
    const { lifecycle } = typeOfField(field)
    if (required && preset === undefined && !visible_if && !lifecycle && isWritable(field) && !set.has(name))
      add('fields', `Every record of ${table.name} needs the field ${name}: add it to fields, or to defaults.`)
  }
}

function checkDefaults(table: Table, tenant: Tenant, item: CheckedItem, add: Add): void {
  try {
    // Whoever sends the request is a user: any id will do.
    const values = defaultsFor(table, item, 1)
    requireSoundValues(table, values, { ...unrestricted, tenant, userId: 1 })
    for (const field of stateFields(table)) {
      const initial = typeOfField(field).lifecycle?.initial(field) ?? []
      const value = values[field.name]
      if (value !== undefined && !initial.includes(String(value)))
        add(`defaults.${field.name}`, `A new record begins in ${listed(initial)}.`)
    }
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    for (const [name, messages] of Object.entries(error.problems))
      for (const message of messages) add(`defaults.${name}`, message)
  }
}

function checkStates(table: Table, item: CheckedItem, add: Add): void {
  const { state_field, public_states, reopen_state } = item
  const fields = stateFields(table).map(({ name }) => name)
  const field = stateField(table, item)
  if (!field) {
    if (state_field !== null)
      add(
        'state_field',
        `The table ${table.name} has no field of states ${state_field}.${didYouMean(state_field, fields)}`,
      )
    else if (fields.length > 1)
      add('state_field', `The table ${table.name} has several fields of states: name one of ${listed(fields)}.`)
    else if (public_states !== null || reopen_state !== null)
      add(public_states === null ? 'reopen_state' : 'public_states', `The table ${table.name} has no field of states.`)
    return
  }
  const { choices, lifecycle } = typeOfField(field)
  const states = choices?.of(field) ?? []
  const slugs = states.map(({ slug }) => slug)
  for (const slug of Object.keys(public_states ?? {}))
    if (!slugs.includes(slug))
      add(`public_states.${slug}`, `The field ${field.name} has no state ${slug}.${didYouMean(slug, slugs)}`)
  if (reopen_state === null) return
  if (!slugs.includes(reopen_state))
    add('reopen_state', `The field ${field.name} has no state ${reopen_state}.${didYouMean(reopen_state, slugs)}`)
  else if (isFinalState(field, reopen_state)) add('reopen_state', `The state ${reopen_state} is a final one.`)
  else if (
    !lifecycle?.moves(field).some(({ from, to }) => to === reopen_state && (from === '*' || isFinalState(field, from)))
  )
    add(
      'reopen_state',
      `No transition of ${field.name} leads from a final state to ${reopen_state}: add one to the table.`,
    )
}
