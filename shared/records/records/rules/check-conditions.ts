import { isDeepStrictEqual } from 'node:util'
import { own } from '../../../kernel/collections/own-members.ts'
import { type Problem, say } from '../../../kernel/failures/sentence.ts'
import type { Transition } from '../../../tables/field-types/declaration.ts'
import { typeOfField } from '../../../tables/field-types/read-field.ts'
import type { ErrorList } from '../../../tables/tables/error-list.ts'
import type { Field } from '../../../tables/tables/schema.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Actor } from '../actor.ts'
import type { RecordData } from '../record-item.ts'
import { type FieldAccess, mayRead, mayWrite } from '../write/field-access.ts'
import type { FieldRules } from './open-rules.ts'

/** A write as conditions see it. */
export interface ConditionedWrite {
  /** The values that the record has, or that a new one gets by itself. */
  readonly before: RecordData
  /** The record as it would be stored. */
  readonly after: RecordData
  readonly access: FieldAccess
  /** Who moves states; undefined for a new record, whose state is its first. */
  readonly mover?: Pick<Actor, 'roles' | 'isAdministrator'>
}

/**
 * Adds an error for each field that lacks a value which its `required_if` demands, changes against its `readonly_if`, or
 * moves against the condition of its transition. A field that has an error keeps only that.
 */
export function checkConditions(table: Table, rules: FieldRules, write: ConditionedWrite, list: ErrorList): void {
  const { before, access, mover } = write
  const after = rules.complete(write.after)
  for (const field of table.table_fields) {
    const { name, required_if, readonly_if } = field
    const [from, to] = [own(before, name) ?? null, own(after, name) ?? null]
    const hasChanged = !isDeepStrictEqual(from, to)
    const { lifecycle, isDerived } = typeOfField(field)
    if (isDerived) continue
    if (lifecycle && mover && hasChanged && from !== null && to !== null && !list.errors[name])
      checkMove(table, rules, field, { before, after, access, mover }, list)
    if (list.errors[name]) continue
    if (readonly_if && hasChanged && rules.holds(readonly_if, after))
      list.add(name, say('read_only_here', { field: name }))
    else if (required_if && isEmpty(to) && rules.holds(required_if, after) && isVisible(rules, field, after))
      list.add(name, lacking(access, name))
  }
}

/** Whether forms show a field of the record as it would be stored; one that they do not is never required. */
export const isVisible = (rules: FieldRules | undefined, { visible_if }: Field, after: RecordData): boolean =>
  !visible_if || !rules || rules.holds(visible_if, after)

export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** What is said of a field without a value that it needs. */
export const lacking = (access: FieldAccess, name: string): Problem =>
  say(mayWrite(access, name) ? 'required' : 'required_but_not_yours', { field: name })

/** One of the moves that the mover's roles allow has to fit the record. */
function checkMove(
  table: Table,
  rules: FieldRules,
  field: Field,
  { before, after, access, mover }: Required<ConditionedWrite>,
  list: ErrorList,
): void {
  const { name } = field
  const [from, to] = [own(before, name), String(own(after, name))]
  const moves =
    typeOfField(field)
      .lifecycle?.movesFrom(field, from, mover)
      .filter((move) => move.to === to) ?? []
  // Without any the type has said so already, or a restore asks for no transition.
  if (moves.length === 0) return
  const fitting = moves.filter((move) => fits(rules, move, after))
  if (fitting.length === 0) {
    const problem = mayRead(access, name)
      ? say('move_without_condition', { field: name, from: String(from), to })
      : say('move_hidden', { field: name })
    return list.add(name, problem)
  }
  const missing = fitting.map((move) =>
    requiredMoveFields(table, rules, move, after).filter((one) => isEmpty(own(after, one))),
  )
  const [first] = missing
  if (!first || missing.some((names) => names.length === 0)) return
  for (const lacked of first.filter((one) => !list.errors[one]))
    if (mayWrite(access, lacked)) list.add(lacked, say('required_when', { field: lacked, other: name, value: to }))
    else if (mayRead(access, lacked)) list.add(lacked, lacking(access, lacked))
    // Which of the fields that they may not see is empty is not theirs to know.
    else if (!list.errors[name]) list.add(name, say('move_lacks_hidden', { field: name, to }))
}

/** Whether a record, as it would be stored after a move, meets the condition of the move. */
export const fits = (rules: FieldRules | undefined, { condition }: Transition, after: RecordData): boolean =>
  !condition || !rules || rules.holds(condition, after)

/** The fields that a move requires of a record as it would be stored after it: none that is not visible. */
export const requiredMoveFields = (
  { fieldsByName }: Table,
  rules: FieldRules | undefined,
  { required_fields = [] }: Transition,
  after: RecordData,
): string[] =>
  required_fields.filter((name) => {
    const field = fieldsByName.get(name)
    return field && isVisible(rules, field, after)
  })
