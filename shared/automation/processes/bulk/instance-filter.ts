import { byName, own } from '../../../kernel/collections/own-members.ts'
import { type FieldErrors, Invalid } from '../../../kernel/failures/faults.ts'
import { listed, shown, thereIsNo } from '../../../kernel/text/did-you-mean.ts'
import { type Instance, instanceStatuses, recordIdOrNull } from '../rows/instance-row.ts'

/** What instances can be selected by, in the grammar of lists. */
const fields: Readonly<Record<string, (instance: Instance) => string | number | null>> = {
  id: ({ id }) => id,
  status: ({ status }) => status,
  template_id: ({ templateId }) => templateId,
  template_code: ({ code }) => code,
  version: ({ templateVersion }) => templateVersion,
  model: ({ model }) => model,
  record_id: ({ recordId }) => recordIdOrNull(recordId),
  source: ({ source }) => source,
  parent_id: ({ caller }) => caller?.instanceId ?? null,
  started_by: ({ startedBy }) => startedBy || null,
  started_at: ({ startedAt }) => startedAt,
  ended_at: ({ endedAt }) => endedAt,
}
const numbers: ReadonlySet<string> = new Set(['id', 'template_id', 'version', 'record_id', 'parent_id', 'started_by'])

type Value = string | number | null
type Test = (value: Value) => boolean
export type InstanceMatch = (instance: Instance) => boolean

const ordered =
  (holds: (order: number) => boolean) =>
  (given: Value): Test =>
  (value) =>
    value !== null && given !== null && holds(value < given ? -1 : value > given ? 1 : 0)

/** Operators with one value. */
const operators: Readonly<Record<string, (given: Value) => Test>> = {
  _eq: (given) => (value) => value === given,
  _neq: (given) => (value) => value !== given,
  _lt: ordered((order) => order < 0),
  _lte: ordered((order) => order <= 0),
  _gt: ordered((order) => order > 0),
  _gte: ordered((order) => order >= 0),
}
const listOperators = ['_in', '_nin']
const nullOperators = ['_null', '_nnull']
const allOperators = [...Object.keys(operators), ...listOperators, ...nullOperators]

/** Reads a filter over instances. Throws Invalid that names each field, operator and value that is wrong. */
export function readInstanceFilter(filter: Readonly<Record<string, unknown>>): InstanceMatch {
  const errors: FieldErrors = byName()
  const match = readGroup(filter, 'filter', errors)
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
  return match
}

function readGroup(group: Readonly<Record<string, unknown>>, path: string, errors: FieldErrors): InstanceMatch {
  const matches = Object.entries(group).map(([name, condition]): InstanceMatch => {
    const at = `${path}.${name}`
    if (name === '_and' || name === '_or') {
      if (!Array.isArray(condition) || !condition.every(isObject)) {
        errors[at] = [`${name} takes a list of filters.`]
        return () => false
      }
      const parts = condition.map((part, index) => readGroup(part, `${at}.${index}`, errors))
      return (one) => (name === '_and' ? parts.every((part) => part(one)) : parts.some((part) => part(one)))
    }
    const valueOf = own(fields, name)
    if (valueOf === undefined) {
      errors[at] = [`${shown(name)}: ${thereIsNo('field of process instances', name, Object.keys(fields))}`]
      return () => false
    }
    const tests = readCondition(name, condition, at, errors)
    return (one) => tests.every((test) => test(valueOf(one)))
  })
  return (one) => matches.every((match) => match(one))
}

/** Short forms: a value is `_eq`, a list `_in`, null `_null`. */
function readCondition(field: string, condition: unknown, path: string, errors: FieldErrors): readonly Test[] {
  if (condition === null) return [(value) => value === null]
  if (Array.isArray(condition)) return [readOperator(field, '_in', condition, path, errors)]
  if (!isObject(condition)) return [readOperator(field, '_eq', condition, path, errors)]
  return Object.entries(condition).map(([operator, given]) =>
    readOperator(field, operator, given, `${path}.${operator}`, errors),
  )
}

function readOperator(field: string, operator: string, given: unknown, path: string, errors: FieldErrors): Test {
  if (nullOperators.includes(operator))
    return (value) => (value === null) === ((operator === '_null') === (given !== false))
  if (listOperators.includes(operator)) {
    if (!Array.isArray(given)) {
      errors[path] = [`${operator} takes a list of values.`]
      return () => false
    }
    const values = given.map((one) => readValue(field, one, path, errors))
    return (value) => values.includes(value) === (operator === '_in')
  }
  const test = own(operators, operator)
  if (test === undefined) {
    errors[path] = [`${shown(operator)}: ${thereIsNo('operator', operator, allOperators)}`]
    return () => false
  }
  return test(readValue(field, given, path, errors))
}

function readValue(field: string, given: unknown, path: string, errors: FieldErrors): Value {
  if (numbers.has(field)) {
    if (typeof given === 'number' && Number.isSafeInteger(given)) return given
    errors[path] = [`The ${field} must be an integer.`]
  } else if (typeof given !== 'string') errors[path] = [`The ${field} must be a string.`]
  else if (field === 'status' && !instanceStatuses.some((one) => one === given))
    errors[path] = [`${shown(given)}: ${thereIsNo('status', given, instanceStatuses)}`]
  else if (field.endsWith('_at')) {
    const time = Date.parse(given)
    if (!Number.isNaN(time)) return new Date(time).toISOString()
    errors[path] = [`The ${field} must be a date and time. Fields that are: ${listed(['started_at', 'ended_at'])}.`]
  } else return given
  return null
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The only value of a field that a filter lets through, if it says so at its top. */
export function onlyValue(filter: Readonly<Record<string, unknown>>, field: string): unknown {
  const condition = own(filter, field)
  return isObject(condition) ? own(condition, '_eq') : Array.isArray(condition) ? undefined : condition
}
