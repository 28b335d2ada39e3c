/** All sets of `size` of these, in order. */
export function subsets<T>(of: readonly T[], size: number): T[][] {
  if (size === 0) return [[]]
  return of.flatMap((one, at) => subsets(of.slice(at + 1), size - 1).map((rest) => [one, ...rest]))
}

/** The same order for the same seed. */
function shuffled<T>(of: readonly T[], seed: number): T[] {
  const mixed = [...of]
  let state = seed >>> 0
  for (let at = mixed.length - 1; at > 0; at -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const other = Math.floor((state / 2 ** 32) * (at + 1))
    ;[mixed[at], mixed[other]] = [mixed[other]!, mixed[at]!]
  }
  return mixed
}

/** So few sets of three that every two are together in one of them; another choice for each seed. */
export function coveringTriples<T>(of: readonly T[], seed: number): T[][] {
  const missing = new Set(subsets(range(of), 2).map(String))
  const triples = shuffled(subsets(range(of), 3), seed)
  const chosen: number[][] = []
  const adds = (triple: readonly number[]) => subsets(triple, 2).filter((pair) => missing.has(String(pair)))
  for (let wanted = 3; missing.size > 0; wanted -= 1)
    for (const triple of triples) {
      const added = adds(triple)
      if (added.length < wanted) continue
      chosen.push(triple)
      for (const pair of added) missing.delete(String(pair))
    }
  return chosen.sort(byNumbers).map((triple) => triple.map((at) => of[at]!))
}

const range = (of: readonly unknown[]): number[] => [...of.keys()]
const byNumbers = (a: readonly number[], b: readonly number[]): number => {
  const at = a.findIndex((one, index) => one !== b[index])
  return at === -1 ? 0 : a[at]! - b[at]!
}
