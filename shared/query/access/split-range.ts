import { compareText } from '../../columns/service.ts'
import { idText } from '../../store/keys/key.ts'
import type { PlanContext } from '../plan/plan-context.ts'
import { isOneValue, type Bounds } from './key-bounds.ts'
import type { SlotSpace } from './key-space.ts'
import { afterKey } from './reader.ts'

/** The most parts of one range, and of several together. */
const maxParts = 12
const maxPartsOfAll = 24
/** How many records are sampled to estimate the distribution of a slot's keys: one call. */
const sampled = 100

/** Keys of some records of the table, in order. */
interface Sample {
  readonly keys: readonly string[]
  /** How many records each key represents. */
  readonly weight: number
}

/**
 * Splits long ranges of a slot into parts that are read in parallel (docs/decisions/0012). The keys of one value are
 * ordered by id, so they are split by id; other ranges are split by a sample of the records.
 */
export async function splitRange(
  run: PlanContext,
  space: SlotSpace,
  bounds: readonly Bounds[],
): Promise<readonly Bounds[]> {
  const { last } = await run.sequence()
  const { splitIds } = run.limits
  const most = Math.min(maxParts, Math.floor(maxPartsOfAll / bounds.length))
  if (last <= splitIds || most <= 1) return bounds
  const sample = bounds.every(isOneValue) ? undefined : await takeSample(run, space, last)
  return bounds.flatMap((one) =>
    cut(
      one,
      sample && !isOneValue(one)
        ? quantiles(one, sample, splitIds, most)
        : idSteps(one, last, Math.min(most, Math.ceil(last / splitIds))),
    ),
  )
}

/** Its multiples spread evenly and follow no period, as values may: tasks assigned in turn, for example. */
const goldenRatio = (Math.sqrt(5) - 1) / 2

/** Reads the keys of records whose ids are spread evenly over the table. */
async function takeSample(run: PlanContext, space: SlotSpace, last: number): Promise<Sample> {
  const ids = new Set(
    Array.from({ length: Math.min(sampled, last) }, (_, n) => 1 + Math.floor(((n * goldenRatio) % 1) * last)),
  )
  return { keys: (await run.reader.keysOf(space, [...ids])).toSorted(compareText), weight: last / ids.size }
}

const idSteps = ({ from }: Bounds, last: number, count: number): readonly string[] =>
  Array.from({ length: count - 1 }, (_, part) => `${from}${idText(Math.ceil(((part + 1) * last) / count))}`)

/** Keys of the sample that split a range into parts of equal size. */
function quantiles({ from, to }: Bounds, { keys, weight }: Sample, splitIds: number, most: number): readonly string[] {
  const inside = keys.filter((key) => compareText(key, from) >= 0 && compareText(key, to) <= 0)
  // In a split by ids few of the ids have the value; here every key counts.
  const parts = Math.min(most, inside.length, Math.ceil((2 * inside.length * weight) / splitIds))
  return Array.from(
    { length: Math.max(0, parts - 1) },
    (_, part) => inside[Math.floor(((part + 1) * inside.length) / parts)] as string,
  )
}

/** Splits a range after each of these keys, which are in order. */
function cut({ from, to }: Bounds, keys: readonly string[]): readonly Bounds[] {
  const edges = [from, ...keys.map(afterKey), to]
  return edges.slice(1).map((edge, index) => ({ from: edges[index] as string, to: edge }))
}
