import { spaceOf } from '../access/key-space.ts'
import type { Reader } from '../access/reader.ts'
import { rangesOf } from '../access/slot-range.ts'
import type { Expression, Test } from './expression-types.ts'
import type { QueryField } from './expression-types.ts'

type Found = (via: QueryField, ids: readonly number[]) => Promise<readonly number[]>

/** Referenced records that a step may lead to; more of them would make more stretches than a scan costs. */
const maxTargets = 200

/**
 * The same filter for the planner: `client_id.name = "Acme"` becomes `client_id` among the clients of that name, where an
 * index of clients finds few enough of them. Each record shown is checked against the filter as it was asked. `found` hears
 * of these records, so that they are read while the keys are, and answers those of them that the viewer may see.
 */
export async function resolveSteps(filter: Expression, reader: Reader, found: Found): Promise<Expression> {
  switch (filter.kind) {
    case 'test':
      return filter.field.via ? ((await targetsOf(filter, reader, found)) ?? filter) : filter
    case 'not': {
      const of = await resolveSteps(filter.of, reader, found)
      return of === filter.of ? filter : { kind: 'not', of }
    }
    default: {
      const of = await Promise.all(filter.of.map((part) => resolveSteps(part, reader, found)))
      return of.every((part, index) => part === filter.of[index]) ? filter : { kind: filter.kind, of }
    }
  }
}

async function targetsOf({ field, predicate }: Test, reader: Reader, found: Found): Promise<Expression | undefined> {
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
  return { kind: 'test', field: via, predicate: { op: 'among', values: await found(via, ids) } }
}
