import { idText } from '../../store/keys/key.ts'
import { compareText } from '../grammar/scalar.ts'
import type { PlanContext } from '../plan/plan-context.ts'
import { isOneValue, type Bounds } from './key-bounds.ts'
import type { SlotSpace } from './key-space.ts'
import { afterKey } from './reader.ts'

/** So many parts of one stretch at most, and of several together. */
const maxParts = 12
const maxPartsOfAll = 24
/** Records looked at to learn where the keys of a slot stand: one call. */
const sampled = 100

/** Keys of some records of the table, in order. */
interface Sample {
  readonly keys: readonly string[]
  /** Each stands for so many. */
  readonly weight: number
}

/**
 * Long stretches of a slot cut into parts, to be read side by side: a call answers some thousand keys. The keys of one value
 * stand in the order of ids, so ids say where their parts begin; of other stretches a sample of the records tells.
 */
export async function splitRange(
  run: PlanContext,
  space: SlotSpace,
  bounds: readonly Bounds[],
): Promise<readonly Bounds[]> {
  const { last } = await run.sequence()
  const { partIds } = run.limits
  const most = Math.min(maxParts, Math.floor(maxPartsOfAll / bounds.length))
  if (last <= partIds || most <= 1) return bounds
  const sample = bounds.every(isOneValue) ? undefined : await takeSample(run, space, last)
  return bounds.flatMap((one) =>
    cut(
      one,
      sample && !isOneValue(one)
        ? quantiles(one, sample, partIds, most)
        : idSteps(one, last, Math.min(most, Math.ceil(last / partIds))),
    ),
  )
}

/** Multiples of it lie evenly between whole numbers, and in step with none: values may come in turn, as tasks given out do. */
const goldenRatio = (Math.sqrt(5) - 1) / 2

/** Takes records whose ids lie evenly over the table. */
async function takeSample(run: PlanContext, space: SlotSpace, last: number): Promise<Sample> {
  const ids = new Set(
    Array.from({ length: Math.min(sampled, last) }, (_, n) => 1 + Math.floor(((n * goldenRatio) % 1) * last)),
  )
  return { keys: (await run.reader.keysOf(space, [...ids])).toSorted(compareText), weight: last / ids.size }
}

const idSteps = ({ from }: Bounds, last: number, count: number): readonly string[] =>
  Array.from({ length: count - 1 }, (_, part) => `${from}${idText(Math.ceil(((part + 1) * last) / count))}`)

/** Keys of the sample that cut a stretch into parts equally long. */
function quantiles({ from, to }: Bounds, { keys, weight }: Sample, partIds: number, most: number): readonly string[] {
  const inside = keys.filter((key) => compareText(key, from) >= 0 && compareText(key, to) <= 0)
  // Of the ids that a part of one value spans few have that value; here each is a key.
  const parts = Math.min(most, inside.length, Math.ceil((2 * inside.length * weight) / partIds))
  return Array.from(
    { length: Math.max(0, parts - 1) },
    (_, part) => inside[Math.floor(((part + 1) * inside.length) / parts)] as string,
  )
}

/** A stretch cut behind each of these keys of it, which stand in order. */
function cut({ from, to }: Bounds, keys: readonly string[]): readonly Bounds[] {
  const edges = [from, ...keys.map(afterKey), to]
  return edges.slice(1).map((edge, index) => ({ from: edges[index] as string, to: edge }))
}
