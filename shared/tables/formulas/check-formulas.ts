import { typeOfField } from '../field-types/read-field.ts'
import type { Field } from '../field-types/schema.ts'
import { exactProblems } from './exact-formula.ts'
import { inspectFormula } from './inspect-formula.ts'
import { orderFormulas } from './table-formulas.ts'

/** Refuses formulas that cannot be read, name what there is not, could run long, or go round in a circle. */
export function checkFormulas(fields: readonly Field[], add: (path: string, message: string) => void): void {
  const names = new Set(fields.map(({ name }) => name))
  const byName = new Map(fields.map((field) => [field.name, field]))
  const numbered = new Set(fields.filter((field) => typeOfField(field).generate).map(({ name }) => name))
  const uses = new Map<string, ReadonlySet<string>>()
  for (const [index, field] of fields.entries()) {
    if (field.type !== 'computed' || field.formula === undefined || field.formula.trim() === '') continue
    const inspected = inspectFormula(field.formula, names)
    const isExact = field.result === 'decimal' && inspected.problems.length === 0
    const problems = isExact ? exactProblems(field.formula, byName) : inspected.problems
    for (const problem of problems) add(`table_fields.${index}.formula`, problem)
    for (const name of inspected.names.keys())
      if (numbered.has(name))
        add(
          `table_fields.${index}.formula`,
          `A formula cannot use ${name}: a new record gets its number after its formulas.`,
        )
    uses.set(field.name, new Set(inspected.names.keys()))
  }
  const ordered = orderFormulas(uses)
  if ('circle' in ordered)
    add(
      `table_fields.${fields.findIndex(({ name }) => name === ordered.circle[0])}.formula`,
      `The formulas go round in a circle: ${ordered.circle.join(' uses ')}.`,
    )
}
