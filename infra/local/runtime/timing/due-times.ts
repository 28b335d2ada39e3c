/** A priority queue of values by due time (a binary heap). */
export class DueTimes<T> {
  #heap: { at: number; value: T }[] = []

  get size(): number {
    return this.#heap.length
  }

  get next(): number | undefined {
    return this.#heap[0]?.at
  }

  get first(): { readonly at: number; readonly value: T } | undefined {
    return this.#heap[0]
  }

  add(at: number, value: T): void {
    const heap = this.#heap
    let index = heap.push({ at, value }) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (heap[parent]!.at <= heap[index]!.at) break
      ;[heap[parent], heap[index]] = [heap[index]!, heap[parent]!]
      index = parent
    }
  }

  /** Removes and returns the earliest value, if it is due. */
  takeDue(now: number): { at: number; value: T } | undefined {
    const heap = this.#heap
    const first = heap[0]
    if (!first || first.at > now) return undefined
    const last = heap.pop()!
    if (heap.length > 0) {
      heap[0] = last
      this.#sink()
    }
    return first
  }

  /** Drops the values that are no longer wanted. Takes time in proportion to all of them. */
  keep(isWanted: (at: number, value: T) => boolean): void {
    // A sorted array is a heap.
    this.#heap = this.#heap.filter(({ at, value }) => isWanted(at, value)).sort((a, b) => a.at - b.at)
  }

  #sink(): void {
    const heap = this.#heap
    for (let index = 0; ;) {
      let least = index
      for (const child of [2 * index + 1, 2 * index + 2])
        if (child < heap.length && heap[child]!.at < heap[least]!.at) least = child
      if (least === index) return
      ;[heap[least], heap[index]] = [heap[index]!, heap[least]!]
      index = least
    }
  }
}
