import { chunkIds } from '../../columns/chunk.ts'
import type { Predicate } from '../../columns/predicate.ts'
import { copyOf, giveBack, type Mask } from './masks.ts'

/** Tests the ids themselves: only the ends of a range, and values that are named, are looked at. */
export function narrowIds(mask: Mask, chunk: number, predicate: Predicate): void {
  const first = chunk * chunkIds
  const keep = (least: number, most: number): void => {
    mask.fill(0, 0, clamped(Math.ceil(least) - first, mask))
    mask.fill(0, clamped(Math.floor(most) - first + 1, mask))
  }
  switch (predicate.op) {
    case 'equals':
    case 'among': {
      const wanted = predicate.op === 'among' ? predicate.values : [predicate.value]
      const before = copyOf(mask)
      mask.fill(0)
      for (const value of wanted) {
        const position = Number(value) - first
        if (Number.isInteger(position) && before[position] === 1) mask[position] = 1
      }
      giveBack(before)
      return
    }
    case 'at_least':
      keep(Number(predicate.value), Infinity)
      return
    case 'at_most':
      keep(-Infinity, Number(predicate.value))
      return
    case 'greater':
      keep(Math.floor(Number(predicate.value)) + 1, Infinity)
      return
    case 'less':
      keep(-Infinity, Math.ceil(Number(predicate.value)) - 1)
      return
    case 'between':
      keep(Number(predicate.from), Number(predicate.to))
      return
    default:
  }
}

const clamped = (position: number, mask: Mask): number => Math.min(mask.length, Math.max(0, position))
