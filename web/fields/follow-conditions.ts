import type { Filter } from '../api/records.ts'
import type { Field } from '../api/tables.ts'

/*
 * The conditions of a form over what somebody types. The service decides when the form is sent; until then a condition with
 * an operator or a value that is not known here decides nothing.
 */

type Data = Readonly<Record<string, unknown>>
/** Undefined: not known here. */
type Verdict = boolean | undefined

const all = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.includes(false) ? false : verdicts.includes(undefined) ? undefined : true
const not = (verdict: Verdict): Verdict => (verdict === undefined ? undefined : !verdict)
const any = (verdicts: readonly Verdict[]): Verdict => not(all(verdicts.map(not)))

/** Whether values meet a condition, in the grammar of lists. */
export const meets = (condition: Filter, data: Data): Verdict =>
  all(
    Object.entries(condition).map(([name, wanted]) => {
      if (name === '_and') return all((wanted as readonly Filter[]).map((one) => meets(one, data)))
      if (name === '_or') return any((wanted as readonly Filter[]).map((one) => meets(one, data)))
      if (name === '_not') return not(meets(wanted as Filter, data))
      return valueMeets(data[name], wanted)
    }),
  )

function valueMeets(value: unknown, wanted: unknown): Verdict {
  if (wanted === null) return isMissing(value)
  if (Array.isArray(wanted)) return operate('_in', value, wanted)
  if (typeof wanted !== 'object') return operate('_eq', value, wanted)
  return all(Object.entries(wanted as Filter).map(([operator, operand]) => operate(operator, value, operand)))
}

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === ''
const isEmpty = (value: unknown): boolean => isMissing(value) || (Array.isArray(value) && value.length === 0)

/** `$TODAY`, `$CURRENT_USER`: the service knows what they are. */
const isWord = (operand: unknown): boolean =>
  Array.isArray(operand) ? operand.some(isWord) : typeof operand === 'string' && operand.startsWith('$')

function operate(operator: string, value: unknown, operand: unknown): Verdict {
  if (isWord(operand)) return undefined
  if (operator === '_null' || operator === '_nnull')
    return isMissing(value) === ((operator === '_null') === (operand !== false))
  if (operator === '_empty' || operator === '_nempty')
    return isEmpty(value) === ((operator === '_empty') === (operand !== false))
  const negated = negations.get(operator)
  if (negated) return isMissing(value) ? true : not(operate(negated, value, operand))
  const compare = comparisons.get(operator)
  // Without a value every other comparison fails.
  return compare && (isMissing(value) ? false : compare(value, operand))
}

const negations: ReadonlyMap<string, string> = new Map([
  ['_neq', '_eq'],
  ['_nin', '_in'],
])

type Compare = (value: unknown, operand: unknown) => boolean
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])
/** A number may be typed as text; days and moments are in order as texts. */
const inOrder = (value: unknown): unknown =>
  typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value
const isSame: Compare = (value, operand) =>
  Array.isArray(value) || Array.isArray(operand)
    ? listOf(value).length === listOf(operand).length && listOf(operand).every((one) => listOf(value).includes(one))
    : inOrder(value) === inOrder(operand)
const order =
  (holds: (difference: number) => boolean): Compare =>
  (value, operand) => {
    const [left, right] = [inOrder(value), inOrder(operand)] as [number, number]
    return typeof left === typeof right && holds(left < right ? -1 : left > right ? 1 : 0)
  }
const [atLeast, atMost] = [order((by) => by >= 0), order((by) => by <= 0)]
const textual =
  (holds: (text: string, part: string) => boolean): Compare =>
  (value, operand) =>
    holds(String(value), String(operand))
const lower =
  (compare: Compare): Compare =>
  (value, operand) =>
    compare(String(value).toLowerCase(), String(operand).toLowerCase())
const contains = textual((text, part) => text.includes(part))
const startsWith = textual((text, part) => text.startsWith(part))
const endsWith = textual((text, part) => text.endsWith(part))

const comparisons: ReadonlyMap<string, Compare> = new Map<string, Compare>([
  ['_eq', isSame],
  ['_ieq', lower(isSame)],
  ['_in', (value, operand) => listOf(operand).some((one) => isSame(value, one))],
  ['_gt', order((by) => by > 0)],
  ['_gte', atLeast],
  ['_lt', order((by) => by < 0)],
  ['_lte', atMost],
  ['_between', (value, operand) => atLeast(value, listOf(operand)[0]) && atMost(value, listOf(operand)[1])],
  ['_contains', contains],
  ['_icontains', lower(contains)],
  ['_starts_with', startsWith],
  ['_istarts_with', lower(startsWith)],
  ['_ends_with', endsWith],
  ['_iends_with', lower(endsWith)],
  ['_has_any', (value, operand) => listOf(operand).some((one) => listOf(value).includes(one))],
  ['_has_all', (value, operand) => listOf(operand).every((one) => listOf(value).includes(one))],
])

interface Conditional extends Field {
  /** As the service saw it when the form was opened. */
  readonly visible: boolean
  readonly visible_if?: Filter
  readonly required_if?: Filter
  readonly readonly_if?: Filter
}

/** The fields that a form shows for what was typed, with what is required and read-only then. */
export const followConditions = <F extends Conditional>(fields: readonly F[], data: Data, opened: Data): F[] =>
  fields.flatMap((field) => {
    const { visible_if, required_if, readonly_if } = field
    const isVisible = visible_if ? meets(visible_if, data) !== false : field.visible
    if (!isVisible) return []
    const isAlways = field.required === true && !(required_if && meets(required_if, opened) === true)
    const required = isAlways || (required_if !== undefined && meets(required_if, data) === true)
    const readonly = readonly_if ? meets(readonly_if, data) === true : field.readonly
    return [{ ...field, required, ...(readonly !== undefined && { readonly }) }]
  })
