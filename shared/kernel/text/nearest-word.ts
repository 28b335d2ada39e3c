/** The known word that is most like a mistyped one; undefined when none is like it. */
export function nearestWord(word: string, known: Iterable<string>): string | undefined {
  let [nearest, least]: [string | undefined, number] = [undefined, Math.max(1, Math.floor(word.length / 3)) + 1]
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= least) continue
    const distance = editDistance(word, candidate)
    if (distance < least) [nearest, least] = [candidate, distance]
  }
  return nearest
}

/** How many letters have to be changed, added, removed or swapped with their neighbour. */
function editDistance(a: string, b: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const least = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[j - 2] as number) + 1 : Infinity,
      )
      row.push(least)
    }
    ;[beforeLast, last] = [last, row]
  }
  return last[b.length] as number
}
