import type { Field } from '../field-types/schema.ts'
import { compileFormula } from './compile-formula.ts'
import type { Compute } from './exact-formula.ts'
import { inspectFormula } from './inspect-formula.ts'
import { usableFields } from './usable-fields.ts'

/** Fills in the computed fields of a table, given the data of a record. */
export type FillComputed = <D extends Readonly<Record<string, unknown>>>(data: D) => D

/** Compiles the formulas of a table. A value that a formula does not have is left out, unless the record has one. */
export function compileTable(fields: ReadonlyMap<string, Field>): FillComputed {
  const names = usableFields(fields.values())
  const uses = new Map<string, ReadonlySet<string>>()
  for (const field of fields.values())
    if (field.type === 'computed')
      uses.set(field.name, new Set(inspectFormula(field.formula ?? '', names).names.keys()))
  const ordered = orderFormulas(uses)
  const formulas = ('order' in ordered ? ordered.order : []).map((name): readonly [string, Compute] => [
    name,
    compileFormula(fields.get(name) as Field & { type: 'computed' }, fields),
  ])
  return (data) => {
    const filled: Record<string, unknown> = { ...data }
    for (const [name, compute] of formulas) {
      const value = compute(filled)
      if (value === null && !Object.hasOwn(filled, name)) continue
      filled[name] = value
    }
    return filled as typeof data
  }
}

/**
 * Orders computed fields so that each comes after those that it uses, or names the fields of a circle. `uses`: the names
 * in each formula.
 */
export function orderFormulas(
  uses: ReadonlyMap<string, ReadonlySet<string>>,
): { readonly order: readonly string[] } | { readonly circle: readonly string[] } {
  const order: string[] = []
  const done = new Set<string>()
  let circle: readonly string[] | undefined

  function visit(name: string, path: readonly string[]): void {
    if (circle || done.has(name)) return
    if (path.includes(name)) {
      circle = [...path.slice(path.indexOf(name)), name]
      return
    }
    for (const used of uses.get(name) ?? []) if (uses.has(used)) visit(used, [...path, name])
    done.add(name)
    order.push(name)
  }

  for (const name of uses.keys()) visit(name, [])
  return circle ? { circle } : { order }
}
