import { maxFilterDepth, maxFilterTests, maxFilterValues } from '../../../kernel/limits/lists.ts'
import { didYouMean, thereIsNo } from '../../../kernel/text/did-you-mean.ts'
import { isObjectValue, typeOfField } from '../../../tables/field-types/read-field.ts'
import type { ErrorList } from '../../../tables/tables/error-list.ts'
import type { Scalar } from '../../columns/scalar.ts'
import { kinds } from '../kinds/kinds.ts'
import { all, any, everything, type Expression, not, type QueryField } from './expression.ts'
import { applies, missing, type Operator, operatorFor, operators, testOf } from './operators.ts'
import {
  conversationName,
  type FieldNames,
  opaqueProblem,
  type Resolved,
  resolveField,
  stepInto,
} from './resolve-field.ts'
import { orgUnitsVariable, type Variables } from './variables.ts'

/** What a filter is parsed with; errors are added to `list`. */
export interface FilterContext {
  readonly fieldNames: FieldNames
  readonly variables: Variables
  readonly list: ErrorList
  /**
   * Whether a slug that its field does not know is an error. Otherwise it matches nothing, or records that still hold it:
   * for rules that were saved before an option was removed, and for values that come from data.
   */
  readonly checksSlugs?: boolean
  /** What names stand for, when not for fields. */
  resolve?(path: string): Resolved
}

/** Operators that compare with whole values, which options and states are. */
const checksSlug: ReadonlySet<string> = new Set(['_eq', '_neq', '_in', '_nin', '_has_any', '_has_all'])

/** Parses a filter (contract §3), with its short forms. Errors are added to the context's list by path. */
export function parseFilter(filter: unknown, context: FilterContext, path = 'filter'): Expression {
  if (filter === undefined || filter === null) return everything
  const budget = { tests: 0 }
  return parseGroup(filter, path, 1)

  function parseGroup(group: unknown, at: string, depth: number): Expression {
    if (!isObject(group)) return wrong(at, `The ${at} must be an object.`)
    if (depth > maxFilterDepth) return wrong(at, `The filter is nested deeper than ${maxFilterDepth} levels.`)
    return all(Object.entries(group).map(([key, value]) => parseMember(key, value, `${at}.${key}`, depth)))
  }

  function parseMember(key: string, value: unknown, at: string, depth: number): Expression {
    if (key === '_and' || key === '_or') {
      if (!Array.isArray(value)) return wrong(at, `The ${at} must be an array.`)
      const parts = value.map((part, index) => parseGroup(part, `${at}.${index}`, depth + 1))
      return key === '_and' ? all(parts) : any(parts)
    }
    if (key === '_not') return not(parseGroup(value, at, depth + 1))
    if (key.startsWith('_'))
      return wrong(
        at,
        operators.has(key)
          ? `The operator ${key} belongs to a field: write it inside the field's object.`
          : `There is no operator ${key}.${didYouMean(key, [...operators.keys(), '_and', '_or', '_not']) || ` Operators are ${[...operators.keys()].join(', ')}; groups are _and, _or, _not.`}`,
      )
    if (
      key === conversationName &&
      isObject(value) &&
      !context.resolve?.(key) &&
      !context.fieldNames.table.fieldsByName.has(key)
    )
      return all(
        Object.entries(value).map(([name, tests]) => parseMember(`${key}.${name}`, tests, `${at}.${name}`, depth)),
      )
    const resolved = context.resolve?.(key) ?? resolveField(context.fieldNames, key)
    return 'error' in resolved ? wrong(at, resolved.error) : parseTests(resolved.field, value, at)
  }

  function parseTests(field: QueryField, value: unknown, at: string): Expression {
    const problem = opaqueProblem(field)
    if (problem !== undefined) return wrong(at, problem)
    // A value may be an object too: `{ lat, lng }`.
    if (isObject(value) && !isObjectValue(value)) {
      return all(Object.entries(value).map(([key, operand]) => parseTest(field, key, operand, `${at}.${key}`)))
    }
    if (value === null) return counted(missing(field), at)
    if (kinds[field.kind].whole) return parseTest(field, '_has_any', Array.isArray(value) ? value : [value], at)
    const short = Array.isArray(value) || value === orgUnitsVariable ? '_in' : '_eq'
    return parseTest(field, short, value, at)
  }

  function parseTest(field: QueryField, key: string, operand: unknown, at: string): Expression {
    if (!key.startsWith('_') && field.refersTo !== undefined && !field.via) {
      const resolved = stepInto(context.fieldNames, field, key)
      return 'error' in resolved ? wrong(at, resolved.error) : parseTests(resolved.field, operand, at)
    }
    const operator = operatorFor(field, key)
    if (!operator) return wrong(at, `There is no operator ${key}.${meantOperator(field, key)}`)
    if (!applies(operator, field))
      return wrong(
        at,
        `The operator ${key} does not apply to ${field.path}, a field of type ${typeOf(field)}. Use one of ${operatorsFor(field).join(', ')}.`,
      )
    if (operand === null && (key === '_eq' || key === '_neq'))
      return counted(key === '_eq' ? missing(field) : not(missing(field)), at)
    const parsed = parseOperand(field, operator, operand, at, checksSlug.has(key))
    return parsed === undefined
      ? everything
      : counted(parsed.negated ? not(testOf(field, operator, undefined)) : testOf(field, operator, parsed.value), at)
  }

  function parseOperand(
    field: QueryField,
    { operand: form }: Operator,
    given: unknown,
    at: string,
    isWhole: boolean,
  ): { value?: unknown; negated?: boolean } | undefined {
    const operand = form === 'flag' || form === 'text' ? given : storedForm(field, given)
    switch (form) {
      case 'flag':
        if (typeof operand === 'boolean') return { negated: !operand }
        wrong(at, `The ${at} must be true or false.`)
        return undefined
      case 'values': {
        const values = parseList(field, operand, at, isWhole, orgUnitsOf(field))
        return values && { value: values }
      }
      case 'pair': {
        if (Array.isArray(operand) && operand.length !== 2) wrong(at, `The ${at} must hold two values.`)
        const values = parseList(field, operand, at, isWhole)
        return values?.length === 2 ? { value: values } : undefined
      }
      case 'text':
      case 'value':
        return parseOne(field, operand, at, isWhole)
    }
  }

  /** What `$CURRENT_ORG_UNITS` stands for, alone or in a list; undefined for fields that hold no ids. */
  function orgUnitsOf({ kind }: QueryField): readonly number[] | undefined {
    return kind === 'number' ? context.variables.orgUnitIds : undefined
  }

  function parseList(
    field: QueryField,
    operand: unknown,
    at: string,
    isWhole: boolean,
    orgUnits?: readonly number[],
  ): readonly Scalar[] | undefined {
    const unitsIn = (one: unknown) => (one === orgUnitsVariable ? orgUnits : undefined)
    const units = unitsIn(operand)
    if (units) return units
    if (!Array.isArray(operand)) return refuse(at, `The ${at} must be an array.`)
    if (operand.length > maxFilterValues)
      return refuse(at, `The ${at} may not have more than ${maxFilterValues} items.`)
    const parsed = operand.map((one, index) => unitsIn(one) ?? parseOne(field, one, `${at}.${index}`, isWhole))
    return parsed.every((one) => one !== undefined)
      ? parsed.flatMap((one): readonly Scalar[] => ('value' in one ? [one.value] : one))
      : undefined
  }

  /** `isWhole`: the operand is a value of the field, and not a part of one. */
  function parseOne(field: QueryField, given: unknown, at: string, isWhole: boolean): { value: Scalar } | undefined {
    const parsed = kinds[field.kind].parse(given, at, context.variables, field)
    if ('error' in parsed) return refuse(at, parsed.error)
    const problem = context.checksSlugs && isWhole ? slugProblem(field, parsed.value, at) : undefined
    return problem === undefined ? parsed : refuse(at, problem)
  }

  function counted(test: Expression, at: string): Expression {
    budget.tests += 1
    return budget.tests === maxFilterTests + 1 ? wrong(at, `The filter holds more than ${maxFilterTests} tests.`) : test
  }

  function refuse(at: string, message: string): undefined {
    context.list.add(at, message)
  }

  function wrong(at: string, message: string): Expression {
    refuse(at, message)
    return everything
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const typeOf = ({ definition, kind }: QueryField): string => definition?.type ?? kind

const operatorsFor = (field: QueryField): string[] =>
  [...operators].flatMap(([name, operator]) => (applies(operator, field) ? [name] : []))

/** The operator that was meant: a mistyped one, or a field of the referenced record without its name. */
function meantOperator(field: QueryField, key: string): string {
  const known = operatorsFor(field)
  return didYouMean(key, known) || ` For ${field.path} there are ${known.join(', ')}.`
}

/** What is compared with a field's values, alone or in a list, in the form in which they are stored. */
function storedForm({ definition }: QueryField, given: unknown): unknown {
  const readOperand = definition && typeOfField(definition).readOperand
  if (!readOperand) return given
  return Array.isArray(given) ? given.map((one) => readOperand(definition, one)) : readOperand(definition, given)
}

function slugProblem({ definition }: QueryField, slug: Scalar, at: string): string | undefined {
  const choices = definition && typeOfField(definition).choices
  if (!choices) return undefined
  const known = choices.of(definition).map((choice) => choice.slug)
  return known.includes(slug as string)
    ? undefined
    : `The selected ${at} is invalid: ${thereIsNo(choices.word, String(slug), known)}`
}
