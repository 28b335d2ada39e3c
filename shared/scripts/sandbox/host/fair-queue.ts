/**
 * Those who wait, by party: each party is served in order of arrival, and the parties in turn, so that one with many waiting
 * delays the others by one of them at a time.
 */
export function createFairQueue<P, T>() {
  /** In the order of their turns. */
  const parties = new Map<P, T[]>()

  return {
    add(party: P, one: T): void {
      const waiting = parties.get(party)
      if (waiting) waiting.push(one)
      else parties.set(party, [one])
    },
    /** How many of a party wait. */
    count: (party: P): number => parties.get(party)?.length ?? 0,
    /** Takes out whose turn it is; undefined when nobody waits. */
    next(): T | undefined {
      const [turn] = parties
      if (!turn) return undefined
      const [party, waiting] = turn
      const one = waiting.shift()
      parties.delete(party)
      if (waiting.length > 0) parties.set(party, waiting)
      return one
    },
    /** Takes out one that waits no longer. */
    remove(party: P, one: T): void {
      const waiting = parties.get(party) ?? []
      const at = waiting.indexOf(one)
      if (at >= 0) waiting.splice(at, 1)
      if (waiting.length === 0) parties.delete(party)
    },
    /** Takes out all. */
    clear(): T[] {
      const all = [...parties.values()].flat()
      parties.clear()
      return all
    },
  }
}
