import { runLoop } from '../../../columns/service.ts'

/** Up to so many ranks are found with a heap of the least keys; more by dividing a copy of all keys. */
const maxHeap = 4096

/** The keys at two ranks, counted from 0 in rising order. `first` is not above `last`, and both exist. */
export function rankBounds(keys: Float64Array, first: number, last: number): readonly [least: number, most: number] {
  if (last < maxHeap && last < keys.length - 1) {
    const least = leastKeys(keys, last + 1).sort()
    return [least[first] as number, least[last] as number]
  }
  const copy = keys.slice()
  const least = quickselect(copy, first)
  return [least, last === first ? least : quickselect(copy, last)]
}

/** The `count` least keys, unsorted: a heap with the greatest of them on top, which most keys do not pass. */
function leastKeys(keys: Float64Array, count: number): Float64Array {
  const heap = keys.slice(0, count).sort().reverse()
  runLoop(offerKeys, keys, heap)
  return heap
}

function offerKeys(keys: Float64Array, heap: Float64Array): void {
  let worst = heap[0]!
  for (let i = heap.length; i < keys.length; i += 1) {
    if (keys[i]! >= worst) continue
    sink(heap, keys[i]!)
    worst = heap[0]!
  }
}

/** Replaces the greatest key of a heap. */
function sink(heap: Float64Array, key: number): void {
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && (heap[child + 1] as number) > (heap[child] as number)) child += 1
    if (key >= (heap[child] as number)) break
    heap[at] = heap[child] as number
    at = child
  }
  heap[at] = key
}

/** Rearranges `all`. */
function quickselect(all: Float64Array, rank: number): number {
  let [left, right] = [0, all.length - 1]
  while (left < right) {
    const pivot = median(all[left] as number, all[(left + right) >> 1] as number, all[right] as number)
    let [i, j] = [left, right]
    while (i <= j) {
      while ((all[i] as number) < pivot) i += 1
      while ((all[j] as number) > pivot) j -= 1
      if (i <= j) {
        const held = all[i] as number
        all[i] = all[j] as number
        all[j] = held
        i += 1
        j -= 1
      }
    }
    if (rank <= j) right = j
    else if (rank >= i) left = i
    else break
  }
  return all[rank] as number
}

const median = (a: number, b: number, c: number): number => Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
