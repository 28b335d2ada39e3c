import { date, dateAndTime, evaluate, FeelDate, FeelDateTime, isFunction } from 'feelin'
import { maxFormulaTextCharacters } from '../../kernel/limits/tables.ts'
import { checkValue, typeOfField } from '../field-types/read-field.ts'
import type { Field } from '../field-types/schema.ts'
import { compileExact, type Compute } from './exact-formula.ts'
import { inspectFormula } from './inspect-formula.ts'
import { usableFields } from './usable-fields.ts'

/** Compiles a formula that was checked when it was saved. `fields`: those of the table. */
export function compileFormula(
  field: Field & { readonly type: 'computed' },
  fields: ReadonlyMap<string, Field>,
): Compute {
  if (field.result === 'decimal') return compileExact(field, fields)
  const formula = field.formula ?? ''
  const { names, problems } = inspectFormula(formula, usableFields(fields.values()))
  if (problems.length > 0) return () => null
  const used = [...names].map(([name, times]) => ({ name, times, toFeel: feelReader(fields.get(name) as Field) }))
  // Parsing takes a hundred times as long as evaluating, so the formula becomes the body of a function, once.
  const { value: made, warnings } = evaluate(`function(${used.map(({ name }) => name).join(', ')}) ${formula}`)
  if (!isFunction(made)) return () => null
  const toStored = storedForm(field)
  return (data) => {
    let characters = 0
    for (const { name, times } of used) characters += lengthOf(data[name]) * times
    if (characters > maxFormulaTextCharacters) return null
    try {
      return toStored(made.invoke(used.map(({ name, toFeel }) => toFeel(data[name]))))
    } catch {
      // FEEL has no value where an operation has none, such as a date beyond the calendar. A record is saved nevertheless.
      return null
    } finally {
      // They are kept as long as the function, and nobody reads them.
      warnings.length = 0
    }
  }
}

const lengthOf = (value: unknown): number =>
  typeof value === 'string'
    ? value.length
    : Array.isArray(value)
      ? value.reduce((sum, one) => sum + lengthOf(one), 1)
      : 0

/** How a stored value of a field becomes one of FEEL. */
function feelReader(field: Field): (value: unknown) => unknown {
  const { kind } = typeOfField(field)
  const read =
    kind === 'date' ? date : kind === 'datetime' ? dateAndTime : kind === 'decimal' ? Number : (value: unknown) => value
  return (value) => (value === undefined || value === null ? null : read(value as string))
}

/** How a value of FEEL is stored: in the form of the result's type, or null when it is of another type. */
function storedForm(field: Field & { readonly type: 'computed' }): (value: unknown) => unknown {
  const { result } = field
  return (value) => {
    const plain = plainValue(result, value)
    if (plain === undefined) return null
    const checked = checkValue(field, plain)
    return 'value' in checked ? checked.value : null
  }
}

function plainValue(result: string | undefined, value: unknown): unknown {
  if (result === 'date') return value instanceof FeelDate ? String(value) : undefined
  if (result === 'datetime') return value instanceof FeelDateTime ? instantOf(value) : undefined
  // FEEL calculates in decimals. So do fifteen digits of a binary number: 0.1 + 0.2 is 0.3.
  if (result === 'float' && typeof value === 'number') return Number(value.toPrecision(15))
  if (result === 'text' && typeof value === 'string' && value.length > maxFormulaTextCharacters) return undefined
  return value ?? undefined
}

/** The moment of a date and time, in UTC when it names no zone. */
export function instantOf(value: FeelDateTime): string {
  const moment: unknown = value.unwrap()
  return typeof moment === 'object' && moment !== null && 'epochMilliseconds' in moment
    ? new Date(Number(moment.epochMilliseconds)).toISOString()
    : String(value)
}
