import type { DecisionTable, Rule } from '../definition/model.ts'

/** A rule that matched. `value`: of its only output, or of all by their names. */
export interface Hit {
  readonly rule: Rule
  readonly index: number
  readonly value: unknown
}

type Applied = { readonly value: unknown; readonly hits: readonly Hit[] } | { readonly problem: string }

/**
 * Makes the result of a table of the rules that matched (DMN 1.3, 8.2.10). `fallback`: its default, which is answered when
 * none did; undefined when it has none. `keyOf`: equal for equal values.
 */
export function applyHitPolicy(
  table: DecisionTable,
  hits: readonly Hit[],
  fallback: unknown,
  keyOf: (value: unknown) => string,
): Applied {
  const { hitPolicy } = table
  switch (hitPolicy) {
    case 'UNIQUE':
      return hits.length > 1
        ? { problem: `${namesOf(hits)} match, and the hit policy UNIQUE allows one.` }
        : single(hits, fallback)
    case 'FIRST':
      return single(hits, fallback)
    case 'ANY': {
      const other = hits.find(({ value }) => keyOf(value) !== keyOf(hits[0]?.value))
      return other === undefined
        ? { value: hits[0] ? hits[0].value : (fallback ?? null), hits }
        : {
            problem: `${namesOf([hits[0] as Hit, other])} match with different results, and the hit policy ANY needs the same.`,
          }
    }
    case 'PRIORITY':
      return single(byPriority(table, hits, keyOf), fallback)
    case 'OUTPUT ORDER':
      return list(byPriority(table, hits, keyOf), fallback)
    case 'RULE ORDER':
      return list(hits, fallback)
    case 'COLLECT':
      return collect(table, hits, fallback)
  }
}

/** `rule 3 (urgent)`. */
export const ruleName = ({ id }: Pick<Rule, 'id'>, index: number): string =>
  id === `rule-${index + 1}` ? `rule ${index + 1}` : `rule ${index + 1} (${id})`

const namesOf = (hits: readonly Hit[]): string => {
  const names = hits.slice(0, 10).map(({ rule, index }) => ruleName(rule, index))
  const text = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const single = ([hit]: readonly Hit[], fallback: unknown): Applied =>
  hit === undefined ? { value: fallback ?? null, hits: [] } : { value: hit.value, hits: [hit] }

const list = (hits: readonly Hit[], fallback: unknown): Applied => ({
  value: hits.length === 0 && fallback !== undefined ? [fallback] : hits.map(({ value }) => value),
  hits,
})

function collect({ aggregation }: DecisionTable, hits: readonly Hit[], fallback: unknown): Applied {
  if (aggregation === undefined) return list(hits, fallback)
  if (hits.length === 0 && fallback !== undefined) return { value: fallback, hits }
  if (aggregation === 'COUNT') return { value: hits.length, hits }
  const other = hits.find(({ value }) => value !== null && typeof value !== 'number')
  if (other !== undefined)
    return {
      problem: `${ruleName(other.rule, other.index)} has a result that is no number, which COLLECT with ${aggregation} needs.`,
    }
  const numbers = hits.flatMap(({ value }) => (typeof value === 'number' ? [value] : []))
  if (numbers.length === 0) return { value: null, hits }
  return { value: aggregated[aggregation](numbers), hits }
}

const aggregated: Readonly<Record<'SUM' | 'MIN' | 'MAX', (numbers: readonly number[]) => number>> = {
  // FEEL calculates in decimals.
  SUM: (numbers) => Number(numbers.reduce((sum, one) => sum + one, 0).toPrecision(15)),
  MIN: (numbers) => numbers.reduce((least, one) => Math.min(least, one)),
  MAX: (numbers) => numbers.reduce((most, one) => Math.max(most, one)),
}

/** The rules by the priority of their outputs, from the left; those of the same priority in their order. */
function byPriority(
  { outputs }: DecisionTable,
  hits: readonly Hit[],
  keyOf: (value: unknown) => string,
): readonly Hit[] {
  const ranked = hits.map((hit) => ({
    hit,
    ranks: outputs.flatMap(({ name, priorities }) => {
      if (priorities === undefined) return []
      const value = outputs.length === 1 ? hit.value : (hit.value as Readonly<Record<string, unknown>>)[name ?? '']
      const rank = priorities.findIndex((one) => keyOf(one) === keyOf(value))
      return [rank === -1 ? priorities.length : rank]
    }),
  }))
  return ranked
    .toSorted((a, b) => {
      const at = a.ranks.findIndex((rank, index) => rank !== b.ranks[index])
      return at === -1 ? a.hit.index - b.hit.index : (a.ranks[at] as number) - (b.ranks[at] as number)
    })
    .map(({ hit }) => hit)
}
