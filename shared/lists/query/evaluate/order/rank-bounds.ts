import { runLoop } from '../../../columns/vector/number-kernels.ts'

/** Up to so many ranks, and such a part of all, are found with a heap of the least keys; more by dividing a copy. */
const maxHeap = 4096
const heapPart = 1 / 32

/** The keys at two ranks, counted from 0 in rising order. `first` is not above `last`, and both exist. */
export function rankBounds(keys: Float64Array, first: number, last: number): readonly [least: number, most: number] {
  if (last < maxHeap && last < keys.length * heapPart) {
    const least = leastKeys(keys, last + 1).sort()
    return [least[first] as number, least[last] as number]
  }
  return selectRanks(keys.slice(), first, last)
}

/** The same; rearranges the keys. */
export function selectRanks(keys: Float64Array, first: number, last: number): readonly [least: number, most: number] {
  runLoop(divideAt, keys, 0, first)
  // Behind a rank that was found all keys are as great or greater.
  if (last > first) runLoop(divideAt, keys, first + 1, last)
  return [keys[first] as number, keys[last] as number]
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

/** Rearranges the keys from `left` on: lower ones come before the key at a rank, greater ones after it (quickselect). */
function divideAt(all: Float64Array, left: number, rank: number): void {
  let right = all.length - 1
  while (left < right) {
    const [one, two, three] = [all[left]!, all[(left + right) >> 1]!, all[right]!]
    const pivot = Math.max(Math.min(one, two), Math.min(Math.max(one, two), three))
    let [i, j] = [left, right]
    while (i <= j) {
      while (all[i]! < pivot) i += 1
      while (all[j]! > pivot) j -= 1
      if (i <= j) {
        const held = all[i]!
        all[i] = all[j]!
        all[j] = held
        i += 1
        j -= 1
      }
    }
    if (rank <= j) right = j
    else if (rank >= i) left = i
    else break
  }
}
