import { isDeepStrictEqual } from 'node:util'
import { own } from '../../../kernel/collections/own-members.ts'
import type { Viewer } from '../../../kernel/principal.ts'
import type { RecordDependencies } from '../../../records/records/dependencies.ts'
import type { StoredRecord } from '../../../records/records/record-item.ts'
import { fits, isEmpty, isVisible, requiredMoveFields } from '../../../records/records/rules/check-conditions.ts'
import { type FieldRules, openStoredRules } from '../../../records/records/rules/open-rules.ts'
import type { Transition } from '../../../tables/field-types/declaration.ts'
import { conditionsOf, typeOfField } from '../../../tables/field-types/read-field.ts'
import type { Field } from '../../../tables/tables/schema.ts'
import type { Table } from '../../../tables/tables/table.ts'

interface State {
  /** Undefined for a table without conditions. */
  readonly rules: FieldRules | undefined
  readonly data: StoredRecord['data']
}

/** A record with the conditions of its table before and after a change. */
export interface Conditioned {
  readonly before: State
  readonly after: State
}

interface ConditionalRule {
  readonly rule: string
  breaks(record: Conditioned): boolean
}

/** Everybody may make a move that some role may. */
const anybody = { roles: [], isAdministrator: true }

/** Opens the conditions of a table as it is, and as it will be, for its stored records. */
export async function openBoth(
  records: Pick<RecordDependencies, 'conditions' | 'clock'>,
  caller: Pick<Viewer, 'tenant' | 'userId' | 'orgUnitIds'>,
  before: Table,
  next: Table,
): Promise<(record: StoredRecord) => Conditioned> {
  const [ofBefore, ofNext] = await Promise.all(
    [before, next].map((table) =>
      table.table_fields.some((field) => conditionsOf(field).length > 0)
        ? openStoredRules(records, caller, table)
        : undefined,
    ),
  )
  const stateOf = (open: typeof ofBefore, record: StoredRecord): State => {
    const rules = open?.(record)
    return { rules, data: rules ? rules.complete(record.data) : record.data }
  }
  return (record) => ({ before: stateOf(ofBefore, record), after: stateOf(ofNext, record) })
}

/**
 * The rules of a field that depend on its record, and that a change brings. `readonly_if` breaks no record: it holds for
 * changes only. A transition breaks those that could make its move, and could not any more as they are.
 */
export function conditionalRules(beforeTable: Table, nextTable: Table, field: Field): ConditionalRule[] {
  if (typeOfField(field).isDerived) return []
  const before = beforeTable.fieldsByName.get(field.name)
  const rules: ConditionalRule[] = []
  const demands = (one: Field, { rules: open, data }: State): boolean =>
    one.required_if !== undefined &&
    isEmpty(own(data, one.name)) &&
    open?.holds(one.required_if, data) === true &&
    isVisible(open, one, data)
  const isNew = (setting: 'required_if' | 'visible_if'): boolean =>
    !isDeepStrictEqual(before?.[setting], field[setting])
  if (field.required_if && (isNew('required_if') || isNew('visible_if')))
    rules.push({
      rule: isNew('required_if') ? 'required_if' : 'visible_if',
      breaks: (record) => demands(field, record.after) && !(before && demands(before, record.before)),
    })
  // A field that comes into sight is required from then on.
  if (field.required && before?.required && isNew('visible_if'))
    rules.push({
      rule: 'visible_if',
      breaks: ({ before: was, after }) =>
        isEmpty(own(after.data, field.name)) &&
        isVisible(after.rules, field, after.data) &&
        !isVisible(was.rules, before, was.data),
    })
  return before && before.type === field.type
    ? [...rules, ...moveRules([beforeTable, before], [nextTable, field])]
    : rules
}

/** The moves that an allowed one takes away from a record as it is: by its condition, or by the fields that it requires. */
function moveRules([beforeTable, before]: [Table, Field], [nextTable, field]: [Table, Field]): ConditionalRule[] {
  const { lifecycle } = typeOfField(field)
  if (!lifecycle || isDeepStrictEqual(lifecycle.moves(before), lifecycle.moves(field))) return []
  const movesOf = (one: Field, { data }: State): readonly Transition[] =>
    lifecycle.movesFrom(one, own(data, one.name), anybody)
  const moved = ({ rules, data }: State, to: string): State => ({ rules, data: { ...data, [field.name]: to } })
  const meets = (state: State, move: Transition): boolean => fits(state.rules, move, moved(state, move.to).data)
  const isFilled = (table: Table, state: State, move: Transition): boolean =>
    requiredMoveFields(table, state.rules, move, moved(state, move.to).data).every(
      (name) => !isEmpty(own(state.data, name)),
    )
  /** Whether a move to a state, which some transition allows before and after, is lost. */
  const loses = (
    { before: was, after }: Conditioned,
    allows: (table: Table, state: State, move: Transition) => boolean,
  ): boolean => {
    const [movesBefore, movesAfter] = [movesOf(before, was), movesOf(field, after)]
    return [...new Set(movesAfter.map(({ to }) => to))].some(
      (to) =>
        movesBefore.some((move) => move.to === to && allows(beforeTable, was, move)) &&
        !movesAfter.some((move) => move.to === to && allows(nextTable, after, move)),
    )
  }
  const byCondition = (record: Conditioned): boolean => loses(record, (_, state, move) => meets(state, move))
  return [
    { rule: 'condition', breaks: byCondition },
    {
      rule: 'required_fields',
      breaks: (record) =>
        !byCondition(record) &&
        loses(record, (table, state, move) => meets(state, move) && isFilled(table, state, move)),
    },
  ]
}
