import { isDeepStrictEqual } from 'node:util'

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json | undefined }

/** How an element of a list is named for a person: by a field's name, an option's slug, a hook's kind and name. */
const namers: readonly ((element: { readonly [name: string]: Json | undefined }) => string | undefined)[] = [
  ({ kind, name }) => (typeof kind === 'string' && typeof name === 'string' ? `${kind} ${name}` : undefined),
  ({ name }) => (typeof name === 'string' ? name : undefined),
  ({ slug }) => (typeof slug === 'string' ? slug : undefined),
  ({ from, to }) => (typeof from === 'string' && typeof to === 'string' ? `${from} to ${to}` : undefined),
]

/** One difference between two documents. A side that has no value is undefined. */
export interface Difference {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
  /** The same elements in another order: `before` and `after` hold their names. */
  readonly isOrder?: true
}

/** The paths at which two JSON documents differ. Elements of a list are matched by name. */
export function differingPaths(before: unknown, after: unknown): Difference[] {
  const found: Difference[] = []
  compare('', before as Json | undefined, after as Json | undefined, found)
  return found
}

/**
 * The differences between two JSON documents as readable lines: `table_fields.priority.max: 5 → 9`. Elements of a list
 * are matched by name, so that an inserted element does not change all that follow.
 */
export const differences = (before: unknown, after: unknown): string[] => differingPaths(before, after).map(line)

function line({ path, before, after, isOrder }: Difference): string {
  if (isOrder) return `${path}: order ${(before as string[]).join(', ')} → ${(after as string[]).join(', ')}`
  if (before === undefined) return `${path}: added ${brief(after)}`
  return after === undefined ? `${path}: removed ${brief(before)}` : `${path}: ${brief(before)} → ${brief(after)}`
}

function compare(path: string, before: Json | undefined, after: Json | undefined, found: Difference[]): void {
  if (isDeepStrictEqual(before, after)) return
  if (isObject(before) && isObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
      compare(join(path, name), before[name], after[name], found)
    return
  }
  const [named, namedAfter] = [byName(before), byName(after)]
  if (named && namedAfter) {
    for (const name of new Set([...named.keys(), ...namedAfter.keys()]))
      compare(join(path, name), named.get(name), namedAfter.get(name), found)
    const [order, orderAfter] = [named, namedAfter].map((list) => [...list.keys()])
    if (isDeepStrictEqual(order?.toSorted(), orderAfter?.toSorted()) && !isDeepStrictEqual(order, orderAfter)) {
      found.push({ path, before: order, after: orderAfter, isOrder: true })
    }
    return
  }
  found.push({ path, before, after })
}

const isObject = (value: Json | undefined): value is { readonly [name: string]: Json | undefined } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A list as a map by name; undefined unless every element has a name of its own. */
function byName(value: Json | undefined): Map<string, Json> | undefined {
  if (!Array.isArray(value)) return undefined
  const named = new Map<string, Json>()
  for (const element of value as readonly Json[]) {
    const name = isObject(element) ? namers.map((read) => read(element)).find((text) => text !== undefined) : undefined
    if (name === undefined || named.has(name)) return undefined
    named.set(name, element)
  }
  return named
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

const longest = 120

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length <= longest ? text : `${text.slice(0, longest)}…`
}
