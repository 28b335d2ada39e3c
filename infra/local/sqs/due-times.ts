/** Things that become due at a time, earliest first (a binary heap). */
export class DueTimes<T> {
  readonly #heap: { at: number; thing: T }[] = []

  get next(): number | undefined {
    return this.#heap[0]?.at
  }

  add(at: number, thing: T): void {
    const heap = this.#heap
    let place = heap.push({ at, thing }) - 1
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (heap[parent]!.at <= heap[place]!.at) break
      ;[heap[parent], heap[place]] = [heap[place]!, heap[parent]!]
      place = parent
    }
  }

  /** Takes out the earliest thing when it is due. */
  takeDue(now: number): { at: number; thing: T } | undefined {
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

  #sink(): void {
    const heap = this.#heap
    for (let place = 0; ;) {
      let least = place
      for (const child of [2 * place + 1, 2 * place + 2])
        if (child < heap.length && heap[child]!.at < heap[least]!.at) least = child
      if (least === place) return
      ;[heap[least], heap[place]] = [heap[place]!, heap[least]!]
      place = least
    }
  }
}
