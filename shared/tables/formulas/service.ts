import type { Field } from '../field-types/schema.ts'
import type { FeelExpression } from './compile-expression.ts'
import type { FillComputed } from './table-formulas.ts'

interface FormulaTable {
  readonly table_fields: readonly Field[]
  readonly fieldsByName: ReadonlyMap<string, Field>
}

const compiled = new WeakMap<FormulaTable, Promise<FillComputed>>()

/** The computed fields of a table, in its order. */
export const computedFields = ({ table_fields }: Pick<FormulaTable, 'table_fields'>): readonly Field[] =>
  table_fields.filter(({ type }) => type === 'computed')

/**
 * The data of a record with the values of its table's computed fields. FEEL is loaded with the first table that has some;
 * a table without them pays nothing.
 */
export async function withComputed<D extends Readonly<Record<string, unknown>>>(
  table: FormulaTable,
  data: D,
): Promise<D> {
  const fill = openComputed(table)
  return fill ? (await fill)(data) : data
}

/** What gives the data of a record the values of computed fields; undefined for a table without them. */
export function openComputed(table: FormulaTable): Promise<FillComputed> | undefined {
  if (computedFields(table).length === 0) return undefined
  const known = compiled.get(table)
  const fill = known ?? import('./table-formulas.ts').then(({ compileTable }) => compileTable(table.fieldsByName))
  if (!known) compiled.set(table, fill)
  return fill
}

/** Checks the formulas of a table's fields. FEEL is loaded when there are some. */
export async function checkFormulas(
  fields: readonly Field[],
  add: (path: string, message: string) => void,
): Promise<void> {
  if (!fields.some(({ type }) => type === 'computed')) return
  const { checkFormulas: check } = await import('./check-formulas.ts')
  check(fields, add)
}

/** Fields whose formulas have the new names of fields. FEEL is loaded when there are formulas. */
export async function renameInFormulas(
  fields: readonly Field[],
  renames: ReadonlyMap<string, string>,
): Promise<readonly Field[]> {
  if (renames.size === 0 || !fields.some(({ type }) => type === 'computed')) return fields
  const { renameInFormula } = await import('./rename-in-formula.ts')
  return fields.map((field) =>
    field.type === 'computed' && field.formula !== undefined
      ? { ...field, formula: renameInFormula(field.formula, renames) }
      : field,
  )
}

/** The names that each formula of a table uses, by the name of its field. */
export async function namesInFormulas(fields: readonly Field[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  if (!fields.some(({ type }) => type === 'computed')) return new Map()
  const { inspectFormula } = await import('./inspect-formula.ts')
  const names = new Set(fields.map(({ name }) => name))
  return new Map(
    fields.flatMap((field) =>
      field.type === 'computed'
        ? [[field.name, new Set(inspectFormula(field.formula ?? '', names).names.keys())] as const]
        : [],
    ),
  )
}

export type { FeelExpression }

export type Feel = Awaited<ReturnType<typeof openFeel>>

/** FEEL for decision tables: expressions, tests of cells and typed values. It is loaded with the first call. */
export async function openFeel() {
  const { compileExpression, plain } = await import('./compile-expression.ts')
  const { typedValue } = await import('./typed-values.ts')
  const { constantOf, inCellWords, passesSimple, readUnaryTests, testedName } = await import('./unary-tests.ts')
  return { compileExpression, plain, typedValue, constantOf, inCellWords, passesSimple, readUnaryTests, testedName }
}

/** What compiles expressions in FEEL that are no fields'. FEEL is loaded with the first call. */
export async function feelExpressions(): Promise<(source: string) => FeelExpression> {
  const { compileExpression } = await import('./compile-expression.ts')
  return compileExpression
}
