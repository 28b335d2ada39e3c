/** Something in flight. The collection sets `index`. */
export interface InFlight {
  index: number
}

/**
 * What is in flight, in no order. Not a Set: a Set that items constantly enter and leave keeps answered requests in
 * memory until a full garbage collection (docs/decisions/0027).
 */
export function createInFlight<T extends InFlight>() {
  const items: T[] = []

  return {
    add(item: T): void {
      item.index = items.push(item) - 1
    },
    /** Does nothing for an item that is not in the collection. */
    delete(item: T): void {
      if (items[item.index] !== item) return
      const last = items.pop() as T
      if (last === item) return
      items[item.index] = last
      last.index = item.index
    },
    /** A copy of the current items. */
    all: (): readonly T[] => [...items],
  }
}
