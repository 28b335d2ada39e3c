/** Adds up how well records match the terms of a search; the records are numbers below `size`. */
export class TermScores {
  /** The score of each record over all terms so far; 0 where a term is missing. */
  readonly sums: Float64Array
  readonly #best: Uint32Array
  #isFirst = true

  constructor(size: number) {
    this.sums = new Float64Array(size)
    this.#best = new Uint32Array(size)
  }

  /** A record has a word of the present term. Of several words the best one counts. */
  add(record: number, weight: number): void {
    if (weight > (this.#best[record] as number)) this.#best[record] = weight
  }

  /** Ends a term: records without a word of it have no score any more. */
  endTerm(): void {
    const { sums } = this
    const best = this.#best
    if (this.#isFirst) sums.set(best)
    else {
      for (let record = 0; record < sums.length; record += 1) {
        const sum = sums[record] as number
        const weight = best[record] as number
        if (sum !== 0) sums[record] = weight === 0 ? 0 : sum + weight
      }
    }
    this.#isFirst = false
    best.fill(0)
  }
}
