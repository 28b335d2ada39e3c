/**
 * The first index from `low` to below `high` that is not `isBefore`; `high` when all of them are. All indexes before it
 * are `isBefore`, and none from it on.
 */
export function lowerBound(low: number, high: number, isBefore: (index: number) => boolean): number {
  let [from, to] = [low, high]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    if (isBefore(middle)) from = middle + 1
    else to = middle
  }
  return from
}
