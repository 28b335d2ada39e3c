import { typeOfField } from '../../../tables/field-types/read-field.ts'
import type { Predicate } from '../../columns/predicate.ts'
import type { Scalar } from '../../columns/scalar.ts'
import { kinds } from '../kinds/kinds.ts'
import { any, type Expression, not, type QueryField } from './expression.ts'

/** The form of an operator's operand. */
type Operand = 'value' | 'values' | 'pair' | 'flag' | 'text'

export interface Operator {
  readonly operand: Operand
  /** What the values of a field must have for it; default: nothing. */
  readonly needs?: 'isOrdered' | 'isText' | 'several' | 'one'
  /** Matches what the predicate does not, including records without a value. */
  readonly negates?: true
  predicate(operand: never): Predicate
}

const value = (predicate: (value: Scalar) => Predicate, more: Partial<Operator> = {}): Operator => ({
  operand: 'value',
  predicate,
  ...more,
})
const textTest = (op: 'contains' | 'starts' | 'ends' | 'same', folded: boolean): Operator => ({
  operand: 'text',
  needs: 'isText',
  predicate: (text: string) => ({ op, text, folded }),
})

const among: Operator = { operand: 'values', predicate: (values: readonly Scalar[]) => ({ op: 'among', values }) }
const ofSeveral = (op: 'exactly' | 'including'): Operator => ({
  operand: 'values',
  predicate: (values: readonly Scalar[]) => ({ op, values }),
})

/** The operators of the grammar (contract §3). */
export const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['_eq', value((wanted) => ({ op: 'equals', value: wanted }))],
  ['_ieq', textTest('same', true)],
  ['_neq', value((wanted) => ({ op: 'equals', value: wanted }), { negates: true })],
  ['_lt', value((limit) => ({ op: 'less', value: limit }), { needs: 'isOrdered' })],
  ['_lte', value((limit) => ({ op: 'at_most', value: limit }), { needs: 'isOrdered' })],
  ['_gt', value((limit) => ({ op: 'greater', value: limit }), { needs: 'isOrdered' })],
  ['_gte', value((limit) => ({ op: 'at_least', value: limit }), { needs: 'isOrdered' })],
  ['_in', { ...among, needs: 'one' }],
  ['_nin', { ...among, needs: 'one', negates: true }],
  ['_has_any', { ...among, needs: 'several' }],
  ['_has_all', { ...ofSeveral('including'), needs: 'several' }],
  [
    '_between',
    {
      operand: 'pair',
      needs: 'isOrdered',
      predicate: ([from, to]: readonly [Scalar, Scalar]) => ({ op: 'between', from, to }),
    },
  ],
  ['_null', { operand: 'flag', negates: true, predicate: () => ({ op: 'present' }) }],
  ['_nnull', { operand: 'flag', predicate: () => ({ op: 'present' }) }],
  ['_contains', textTest('contains', false)],
  ['_icontains', textTest('contains', true)],
  ['_starts_with', textTest('starts', false)],
  ['_istarts_with', textTest('starts', true)],
  ['_ends_with', textTest('ends', false)],
  ['_iends_with', textTest('ends', true)],
  ['_empty', { operand: 'flag', negates: true, predicate: () => ({ op: 'filled' }) }],
  ['_nempty', { operand: 'flag', predicate: () => ({ op: 'filled' }) }],
])

/** What equality means for a field of several values: all of them, and no other. */
const severalOperators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['_eq', ofSeveral('exactly')],
  ['_neq', { ...ofSeveral('exactly'), negates: true }],
])

/** The operator of a name, as it is for the values of a field; undefined when there is none. */
export const operatorFor = ({ kind }: QueryField, name: string): Operator | undefined =>
  (kinds[kind].whole && severalOperators.get(name)) ?? operators.get(name)

/** Whether an operator applies to the values of a field. */
export function applies({ needs }: Operator, { kind }: QueryField): boolean {
  if (needs === 'several' || needs === 'one') return (kinds[kind].whole !== undefined) === (needs === 'several')
  return needs === undefined || kinds[kind][needs] === true
}

/** The expression of an operator with a valid operand. */
export function testOf(field: QueryField, operator: Operator, operand: unknown): Expression {
  const predicate = operator.predicate(operand as never)
  if (field.definition && typeOfField(field.definition).ignoresCase) {
    const test = withoutCase(field, predicate)
    if (test) return operator.negates ? not(test) : test
  }
  const { compare } = kinds[field.kind]
  const isOwnOrder = compare && operator.needs === 'isOrdered'
  const test: Expression = {
    kind: 'test',
    field,
    predicate: isOwnOrder ? ({ ...predicate, compare } as Predicate) : predicate,
  }
  return operator.negates ? not(test) : test
}

/** Equality of texts that differ only in case; undefined for what is no equality. */
function withoutCase(field: QueryField, predicate: Predicate): Expression | undefined {
  const same = (text: Scalar): Expression => ({
    kind: 'test',
    field,
    predicate: { op: 'same', text: String(text), folded: true },
  })
  if (predicate.op === 'equals') return same(predicate.value)
  return predicate.op === 'among' ? any(predicate.values.map(same)) : undefined
}

/** Records without a value: `{ "field": null }` and `{ "field": { "_eq": null } }`. */
export const missing = (field: QueryField): Expression => not({ kind: 'test', field, predicate: { op: 'present' } })
