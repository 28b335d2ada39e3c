import { lruMap } from '../../../kernel/collections/lru-map.ts'
import { type FeelExpression, feelExpressions } from '../../../tables/formulas/service.ts'
import { interpret, type Interpreted } from './interpret.ts'

const maxCompiledExpressions = 1000

/** Expressions of all tenants by their text: they hold no values. */
const interpreted = lruMap<string, Interpreted>(maxCompiledExpressions)
const feel = lruMap<string, FeelExpression>(maxCompiledExpressions)

/** JavaScript, read once for as long as it is in use. */
export function interpretedExpression(source: string): Interpreted {
  const known = interpreted.get(source) ?? interpret(source)
  interpreted.set(source, known)
  return known
}

/** FEEL, compiled once for as long as it is in use. */
export async function compiledFeel(source: string): Promise<FeelExpression> {
  const known = feel.get(source) ?? (await feelExpressions())(source)
  feel.set(source, known)
  return known
}
