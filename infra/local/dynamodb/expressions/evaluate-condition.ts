/**
 * Evaluates parsed condition and filter expressions. dynalite's own evaluator treats equal maps and lists of maps as
 * different, and orders strings by UTF-16 code units, not by bytes.
 */

import { type Expression, type Operand, db } from '../dynalite.ts'
import { type AttributeValue, type Item, sameValue, typeOf } from '../items/attribute-value.ts'

export function evaluateCondition(expression: Expression, item: Item): boolean {
  const { type, args } = expression
  switch (type) {
    case 'and':
      return evaluateCondition(args[0] as Expression, item) && evaluateCondition(args[1] as Expression, item)
    case 'or':
      return evaluateCondition(args[0] as Expression, item) || evaluateCondition(args[1] as Expression, item)
    case 'not':
      return !evaluateCondition(args[0] as Expression, item)
  }
  const [subject, ...others] = args.map((operand) => resolve(operand, item))
  switch (type === 'function' ? expression.name : type) {
    case '=':
      return areEqual(subject, others[0])
    case '<>':
      return !areEqual(subject, others[0])
    case 'in':
      return others.some((other) => areEqual(subject, other))
    case '<':
      return order(subject, others[0]) < 0
    case '<=':
      return order(subject, others[0]) <= 0
    case '>':
      return order(subject, others[0]) > 0
    case '>=':
      return order(subject, others[0]) >= 0
    case 'between':
      return order(subject, others[0]) >= 0 && order(subject, others[1]) <= 0
    case 'attribute_exists':
      return subject !== undefined
    case 'attribute_not_exists':
      return subject === undefined
    case 'attribute_type':
      return subject !== undefined && typeOf(subject) === others[0]?.S
    case 'begins_with':
      return beginsWith(subject, others[0])
    case 'contains':
      return contains(subject, others[0])
    default:
      throw new Error(`dynalite parsed an operator that we do not know: ${expression.name ?? type}`)
  }
}

function resolve(operand: Operand, item: Item): AttributeValue | undefined {
  if (Array.isArray(operand)) return db.mapPath(operand, item) ?? undefined
  if (!('type' in operand)) return operand
  const size = sizeOf(resolve(operand.args[0]!, item))
  return size === undefined ? undefined : { N: String(size) }
}

function sizeOf(value: AttributeValue | undefined): number | undefined {
  if (!value) return undefined
  if (value.B !== undefined) return Buffer.byteLength(value.B, 'base64')
  if (value.M !== undefined) return Object.keys(value.M).length
  return (value.S ?? value.SS ?? value.NS ?? value.BS ?? value.L)?.length
}

function areEqual(a: AttributeValue | undefined, b: AttributeValue | undefined): boolean {
  return a !== undefined && b !== undefined && sameValue(a, b)
}

/** Negative, zero or positive; NaN, which fails every comparison, for values without an order. */
function order(a: AttributeValue | undefined, b: AttributeValue | undefined): number {
  if (a?.N !== undefined && b?.N !== undefined) return orderNumbers(a.N, b.N)
  if (a?.S !== undefined && b?.S !== undefined) return Buffer.compare(Buffer.from(a.S), Buffer.from(b.S))
  if (a?.B !== undefined && b?.B !== undefined)
    return Buffer.compare(Buffer.from(a.B, 'base64'), Buffer.from(b.B, 'base64'))
  return Number.NaN
}

/** Up to 15 characters a double is exact; DynamoDB's numbers have 38 digits. */
function orderNumbers(a: string, b: string): number {
  if (a.length <= 15 && b.length <= 15) return Number(a) - Number(b)
  if (db.compare('=', { N: a }, [{ N: b }])) return 0
  return db.compare('<', { N: a }, [{ N: b }]) ? -1 : 1
}

function beginsWith(value: AttributeValue | undefined, start: AttributeValue | undefined): boolean {
  if (value?.S !== undefined && start?.S !== undefined) return value.S.startsWith(start.S)
  if (value?.B === undefined || start?.B === undefined) return false
  const bytes = Buffer.from(start.B, 'base64')
  return Buffer.from(value.B, 'base64').subarray(0, bytes.length).equals(bytes)
}

function contains(value: AttributeValue | undefined, part: AttributeValue | undefined): boolean {
  if (!value || !part) return false
  if (value.L) return value.L.some((element) => sameValue(element, part))
  if (part.S !== undefined) return value.S?.includes(part.S) ?? value.SS?.includes(part.S) ?? false
  if (part.N !== undefined) return value.NS?.includes(part.N) ?? false
  if (part.B === undefined) return false
  if (value.B !== undefined) return Buffer.from(value.B, 'base64').includes(Buffer.from(part.B, 'base64'))
  return value.BS?.includes(part.B) ?? false
}
