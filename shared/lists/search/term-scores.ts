/**
 * Adds up how well records match the terms of a search; the records are numbers below `size`. Its memory is used again,
 * and it takes time only for records that have a word: begin, add the words of a term, end it, and so on; then read.
 */
export class TermScores {
  /** The score of each record over the terms that ended; 0 where one is missing, and for all records before `begin`. */
  #sums = new Float64Array(0)
  /** The best weight of each record for the present term; 0 for all records between two terms. */
  #best = new Uint32Array(0)
  /** The records of the present term. */
  #touched = new Uint32Array(0)
  #touchedCount = 0
  /** The records that have every term that ended. */
  #found = new Uint32Array(0)
  #foundCount = 0
  #size = 0
  #isFirst = true
  #isClean = true

  /** Begins a search. What the one before found must not be used afterwards. */
  begin(size: number): void {
    if (size > this.#best.length) this.#allocate(size)
    else if (this.#isClean) this.#clear(this.#sums, this.#found, this.#foundCount)
    // The search before ended with an error.
    else this.#allocate(this.#best.length)
    this.#size = size
    this.#touchedCount = 0
    this.#foundCount = 0
    this.#isFirst = true
    this.#isClean = false
  }

  /** Some records have a word of the present term. Of several words the best one counts. */
  add(records: Uint16Array | Uint32Array, weights: Uint32Array, count: number): void {
    const [best, touched] = [this.#best, this.#touched]
    let touchedCount = this.#touchedCount
    for (let at = 0; at < count; at += 1) {
      const record = records[at]!
      const known = best[record]!
      if (weights[at]! <= known) continue
      best[record] = weights[at]!
      if (known === 0) touched[touchedCount++] = record
    }
    this.#touchedCount = touchedCount
  }

  /** Ends a term: records without a word of it have no score any more. */
  endTerm(): void {
    const [sums, best, touched, found] = [this.#sums, this.#best, this.#touched, this.#found]
    const touchedCount = this.#touchedCount
    let kept = 0
    if (this.#isFirst) {
      for (; kept < touchedCount; kept += 1) {
        const record = touched[kept]!
        found[kept] = record
        sums[record] = best[record]!
      }
    } else {
      for (let at = 0; at < this.#foundCount; at += 1) {
        const record = found[at]!
        const weight = best[record]!
        sums[record] = weight === 0 ? 0 : sums[record]! + weight
        if (weight !== 0) found[kept++] = record
      }
    }
    this.#clear(best, touched, touchedCount)
    this.#foundCount = kept
    this.#touchedCount = 0
    this.#isFirst = false
  }

  /** The records that have every term, rising; until the next `begin`. */
  found(): Uint32Array {
    const found = this.#found.subarray(0, this.#foundCount)
    this.#isClean = true
    if (!isRising(found)) {
      if (found.length * 16 < this.#size) found.sort()
      else this.#listAll()
    }
    return found
  }

  scoreOf(record: number): number {
    return this.#sums[record]!
  }

  /** Lists the records with a score in their order: many are found sooner than sorted. */
  #listAll(): void {
    let at = 0
    for (let record = 0; at < this.#foundCount; record += 1) if (this.#sums[record] !== 0) this.#found[at++] = record
  }

  #clear(values: Float64Array | Uint32Array, records: Uint32Array, count: number): void {
    if (count * 16 > this.#size) values.fill(0, 0, this.#size)
    else for (let at = 0; at < count; at += 1) values[records[at]!] = 0
  }

  #allocate(size: number): void {
    this.#sums = new Float64Array(size)
    this.#best = new Uint32Array(size)
    this.#touched = new Uint32Array(size)
    this.#found = new Uint32Array(size)
  }
}

function isRising(records: Uint32Array): boolean {
  for (let at = 1; at < records.length; at += 1) if (records[at]! < records[at - 1]!) return false
  return true
}
