import { spaceOf } from '../access/key-space.ts'
import type { Reader } from '../access/reader.ts'
import { rangesOf } from '../access/slot-range.ts'
import type { Expression, Test } from './expression-types.ts'
import type { QueryField } from './expression-types.ts'

type ReadTargets = (via: QueryField, ids: readonly number[]) => Promise<readonly number[]>

/** The most referenced records that a step is resolved to; with more, a scan is cheaper than that many ranges. */
const maxTargets = 200

/**
 * The filter for the planner: `client_id.name = "Acme"` becomes `client_id` among the clients with that name, if an
 * index finds few enough of them. Records are still checked against the original filter. `readTargets` starts reading
 * the clients and answers the ids of those that the viewer may see.
 */
export async function resolveSteps(filter: Expression, reader: Reader, readTargets: ReadTargets): Promise<Expression> {
  switch (filter.kind) {
    case 'test':
      return filter.field.via ? ((await targetsOf(filter, reader, readTargets)) ?? filter) : filter
    case 'not': {
      const of = await resolveSteps(filter.of, reader, readTargets)
      return of === filter.of ? filter : { kind: 'not', of }
    }
    default: {
      const of = await Promise.all(filter.of.map((part) => resolveSteps(part, reader, readTargets)))
      return of.every((part, index) => part === filter.of[index]) ? filter : { kind: filter.kind, of }
    }
  }
}

async function targetsOf(
  { field, predicate }: Test,
  reader: Reader,
  readTargets: ReadTargets,
): Promise<Expression | undefined> {
  const { via, target } = field
  if (!via?.index || via.refersTo === undefined || target?.index?.slot === undefined) return undefined
  const test: Test = { kind: 'test', field: target, predicate }
  const ranges = rangesOf(test, target)
  if (!ranges?.exact) return undefined
  const space = spaceOf(reader.tenant, via.refersTo, target)
  const pages = await Promise.all(
    ranges.bounds.map((bounds) => reader.page(space, bounds, { reverse: false, limit: maxTargets + 1 })),
  )
  const ids = pages.flatMap((page) => page.found.map(({ id }) => id))
  if (ids.length > maxTargets || pages.some(({ last }) => last !== undefined)) return undefined
  return { kind: 'test', field: via, predicate: { op: 'among', values: await readTargets(via, ids) } }
}
