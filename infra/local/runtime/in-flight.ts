/** Something that can be under way; `place` is the collection's own. */
export interface InFlight {
  index: number
}

/**
 * What is under way, in no order. A Set would do, were it not for how V8 collects: what comes and goes all the time gives a Set
 * a new table every few times, each outgrown table points to the next, and the first of them to reach the old generation keeps
 * the later ones alive, with what stood in them. Of lists of records ten times as much survived so until a full collection.
 */
export function createInFlight<T extends InFlight>() {
  const items: T[] = []

  return {
    add(item: T): void {
      item.index = items.push(item) - 1
    },
    /** Does nothing for an item that has left already. */
    delete(item: T): void {
      if (items[item.index] !== item) return
      const last = items.pop() as T
      if (last === item) return
      items[item.index] = last
      last.index = item.index
    },
    /** Those that are under way now: the list stays as it is when they leave. */
    all: (): readonly T[] => [...items],
  }
}
