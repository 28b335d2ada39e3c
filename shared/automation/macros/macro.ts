import { mayOnTable, permittedFields } from '../../kernel/permissions.ts'
import type { Viewer } from '../../kernel/principal.ts'
import type { RowTimes } from '../../platform/store/config.ts'
import { typeOfField } from '../../tables/field-types/read-field.ts'
import type { Table } from '../../tables/tables/table.ts'
import type { MacroAnswer } from './schema.ts'

/** What is done to a record as one step. */
export interface Macro extends RowTimes {
  readonly id: number
  readonly name: string
  readonly model: string
  readonly set: Readonly<Record<string, unknown>> | null
  readonly transition: string | null
  readonly comment: MacroAnswer['comment']
  readonly assign: '$CURRENT_USER' | number | null
  readonly next: boolean
  readonly version: number
}

export type MacroActions = Pick<Macro, 'set' | 'transition' | 'comment' | 'assign'>

type Fields = Pick<Table, 'table_fields' | 'fieldsByName'>

export const currentUser = '$CURRENT_USER'
/** The usual names of the field of whom a record is given to. */
const assigneeNames = ['assignee_id', 'assignee', 'owner_id', 'owner', 'agent_id', 'agent']

const isUser = (field: Table['table_fields'][number]): boolean => typeOfField(field).refersToPeople === true

/** The field of whom a record is given to; undefined when the table does not say which it is. */
export function assigneeField({ table_fields }: Fields): string | undefined {
  const users = table_fields.filter(isUser).map(({ name }) => name)
  return users.length === 1 ? users[0] : assigneeNames.find((name) => users.includes(name))
}

/** The names of the fields of states. */
export const stateFields = ({ table_fields }: Fields): readonly string[] =>
  table_fields.filter((field) => typeOfField(field).lifecycle).map(({ name }) => name)

/** The field and the state of a transition; undefined when it does not say which field is meant. */
export function moveOf(table: Fields, transition: string): { readonly field: string; readonly to: string } | undefined {
  const fields = stateFields(table)
  const dot = transition.indexOf('.')
  if (dot > 0 && fields.includes(transition.slice(0, dot)))
    return { field: transition.slice(0, dot), to: transition.slice(dot + 1) }
  const [only, ...others] = fields
  return only !== undefined && others.length === 0 ? { field: only, to: transition } : undefined
}

/** The fields and values of a macro for the user who runs it. */
export function valuesOf(
  table: Fields,
  { set, transition, assign }: MacroActions,
  userId: number,
): Record<string, unknown> {
  const move = transition === null ? undefined : moveOf(table, transition)
  const field = assign === null ? undefined : assigneeField(table)
  const given = Object.entries(set ?? {}).map(([name, value]): [string, unknown] => {
    const known = table.fieldsByName.get(name)
    return [name, value === currentUser && known && isUser(known) ? userId : value]
  })
  return {
    ...Object.fromEntries(given),
    ...(move && { [move.field]: move.to }),
    ...(field !== undefined && { [field]: assign === currentUser ? userId : assign }),
  }
}

/** Whether somebody may run a macro, and therefore see it; row rules and states decide at the record. */
export function mayRun(viewer: Viewer, table: Fields & Pick<Table, 'name'>, macro: Macro): boolean {
  if (viewer.isAdministrator) return true
  const { name } = table
  if (!mayOnTable(viewer, name, 'read') || !mayOnTable(viewer, name, 'update')) return false
  if (macro.comment && !mayOnTable(viewer, name, macro.comment.is_internal ? 'comment_internal' : 'comment'))
    return false
  const writable = permittedFields(viewer, name, 'update')
  return Object.keys(valuesOf(table, macro, viewer.userId)).every((field) => writable?.has(field) ?? true)
}

/** A macro as somebody sees it who may run it: without what it does to fields that field rules hide from them. */
export function macroAsSeen(viewer: Viewer, table: Fields & Pick<Table, 'name'>, answer: MacroAnswer): MacroAnswer {
  const readable = permittedFields(viewer, table.name, 'read')
  if (readable === undefined) return answer
  const { set, transition, assign } = answer
  const isHidden = (name: string | undefined): boolean => name !== undefined && !readable.has(name)
  const hidden: Partial<MacroAnswer> = {
    ...(set &&
      Object.keys(set).some(isHidden) && {
        set: Object.fromEntries(Object.entries(set).filter(([name]) => !isHidden(name))),
      }),
    ...(transition !== null && isHidden(moveOf(table, transition)?.field) && { transition: null }),
    ...(assign !== null && isHidden(assigneeField(table)) && { assign: null }),
  }
  return Object.keys(hidden).length === 0 ? answer : { ...answer, ...hidden, is_hidden: true }
}
