import { lruMap } from '../../../kernel/collections/lru-map.ts'
import type { Feel, FeelExpression } from '../../../tables/formulas/service.ts'
import type { TestCell, ValueCell } from '../definition/model.ts'

const maxCompiledCells = 5_000

export type PreparedCells = ReturnType<typeof prepareCells>

/** Evaluates cells: constants and simple tests without FEEL, the rest compiled once for as long as it is in use. */
export function prepareCells(feel: Feel) {
  const compiled = lruMap<string, FeelExpression>(maxCompiledCells)
  const expression = (source: string): FeelExpression => {
    const known = compiled.get(source) ?? feel.compileExpression(source)
    compiled.set(source, known)
    return known
  }
  type Values = Readonly<Record<string, unknown>>
  return {
    passes: ({ source, tests, isNegated }: TestCell, value: unknown, scope: Values): boolean =>
      tests === undefined
        ? expression(source).valueIn({ ...scope, [feel.testedName]: value }) === true
        : feel.passesSimple({ tests, isNegated: isNegated === true }, value),
    value: ({ source, constant }: ValueCell, scope: Values): unknown =>
      constant === undefined ? expression(source).valueIn(scope) : constant,
  }
}
