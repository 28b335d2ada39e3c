/** What counts, what is limited, and what a caller sees beyond the limit: a status first where the request is refused. */
type Explanation = readonly [unit: string, what: string, beyond: string]

export interface Limit {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly what: string
  readonly beyond: string
}

/** The limits of one area, in reading order. */
export interface LimitArea {
  readonly title: string
  readonly limits: readonly Limit[]
}

/** The limits of an area with their explanations. A limit without an explanation is a type error. */
export const explained = <Limits extends Readonly<Record<string, number>>>(
  title: string,
  limits: Limits,
  explanations: Readonly<Record<keyof Limits, Explanation>>,
): LimitArea => ({
  title,
  limits: (Object.keys(explanations) as (keyof Limits & string)[]).map((name) => {
    const [unit, what, beyond] = explanations[name]
    return { name, value: limits[name] as number, unit, what, beyond }
  }),
})

const sizes = [
  [1024 * 1024, 'MB'],
  [1024, 'KB'],
] as const

/** A limit as people write it: `64 KB`, `10,000 rows`, `1 s`. */
export function amountOf({ value, unit }: Pick<Limit, 'value' | 'unit'>): string {
  if (unit === 'bytes') {
    const [each, name] = sizes.find(([size]) => value >= size && (value * 10) % size === 0) ?? [1, 'bytes']
    return `${(value / each).toLocaleString('en')} ${name}`
  }
  if (unit === 'milliseconds') return `${(value / 1000).toLocaleString('en')} s`
  return `${value.toLocaleString('en')} ${unit}`
}
