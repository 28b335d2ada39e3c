/**
 * A queue that serves its parties in turn, and each party in order of arrival, so that a party with many entries delays
 * the others by one entry at a time.
 */
export function createFairQueue<P, T>() {
  /** The party to be served next comes first. */
  const parties = new Map<P, T[]>()

  return {
    add(party: P, one: T): void {
      const waiting = parties.get(party)
      if (waiting) waiting.push(one)
      else parties.set(party, [one])
    },
    /** How many entries of a party wait. */
    count: (party: P): number => parties.get(party)?.length ?? 0,
    /** Takes out the next entry; undefined when the queue is empty. */
    next(): T | undefined {
      const [first] = parties
      if (!first) return undefined
      const [party, waiting] = first
      const one = waiting.shift()
      parties.delete(party)
      if (waiting.length > 0) parties.set(party, waiting)
      return one
    },
    /** Removes an entry that no longer waits. */
    remove(party: P, one: T): void {
      const waiting = parties.get(party) ?? []
      const at = waiting.indexOf(one)
      if (at >= 0) waiting.splice(at, 1)
      if (waiting.length === 0) parties.delete(party)
    },
    /** Takes out all entries. */
    clear(): T[] {
      const all = [...parties.values()].flat()
      parties.clear()
      return all
    },
  }
}
