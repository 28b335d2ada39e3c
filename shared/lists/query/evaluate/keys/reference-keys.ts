import { positionOf } from '../../../columns/chunk.ts'
import type { ColumnView } from '../../../columns/reader/view.ts'
import { NumbersVector } from '../../../columns/vector/numbers.ts'
import { afterwards, type Awaitable, byChunk } from '../read-values.ts'
import type { KeySource } from './key-source.ts'

/** What is asked of the keys in the referenced table. */
export type InnerKeys = Pick<KeySource, 'isExact' | 'valuesOf' | 'keyOf' | 'compare' | 'residueOf' | 'scale'>

/**
 * The keys of a field of referenced records. `keys` has the key of each referenced record by its id, NaN for those that
 * the viewer may not see; `inner` are the keys of the field in its own table.
 */
export const referenceKeys = (
  view: ColumnView,
  reference: string,
  keys: Float64Array,
  inner: InnerKeys,
): KeySource => ({
  ready: (chunk) => view.ready(chunk),
  isExact: inner.isExact,
  ...(inner.compare && { compare: inner.compare }),
  ...(inner.residueOf && { residueOf: inner.residueOf }),
  ...(inner.scale !== undefined && { scale: inner.scale }),
  keyOf: (value) => inner.keyOf(value),
  valuesOf: (ids) =>
    afterwards(targetsOf(view, reference, ids), (targets) => {
      const seen = Float64Array.from(new Set(targets.filter((target) => !Number.isNaN(keys[target] ?? Number.NaN))))
      seen.sort()
      return afterwards(inner.valuesOf(seen), (values) => {
        const known = new Map(values.map((value, index) => [seen[index] as number, value]))
        return Array.from(targets, (target) => known.get(target))
      })
    }),
  read(chunk, positions, out, at) {
    const vector = view.vector(reference, chunk)
    if (!(vector instanceof NumbersVector)) {
      out.fill(Number.NaN, at, at + positions.length)
      return
    }
    vector.gather(positions, out, at)
    for (let i = at; i < at + positions.length; i += 1) out[i] = keys[out[i] as number] ?? Number.NaN
  },
})

/** The ids that records refer to; NaN where they refer to nothing. */
function targetsOf(view: ColumnView, reference: string, ids: ArrayLike<number>): Awaitable<Float64Array> {
  const targets = new Float64Array(ids.length).fill(Number.NaN)
  const waiting = byChunk(
    (chunk) => view.ready(chunk),
    ids,
    (chunk, from, to) => {
      const vector = view.vector(reference, chunk)
      if (!(vector instanceof NumbersVector)) return
      for (let index = from; index < to; index += 1) targets[index] = vector.numberAt(positionOf(ids[index] as number))
    },
  )
  return waiting ? waiting.then(() => targets) : targets
}
