import type { ColumnTest } from '../predicate.ts'
import type { Value } from '../scalar.ts'
import { gatherDoubles } from './gather-kernels.ts'
import { maxBeginnings, prefixAfter } from './prefix.ts'
import { pieceLength, TextPiece } from './text-piece.ts'
import { grownLength, isMissing, valuesWith, type Refit, type Vector } from './vector.ts'

/** Texts, most of them distinct. */
export class TextsVector implements Vector {
  readonly form = 'texts'
  #refit: Refit
  #pieces: TextPiece[]
  /** The prefix of each text, and of what follows beginnings that many share; made when they are first sorted by. */
  #prefixes = new Map<string, Float64Array>()

  /** Each piece but the last is full. They become the vector's own. */
  constructor(refit: Refit, pieces: TextPiece[] = []) {
    this.#refit = refit
    this.#pieces = pieces
  }

  get length(): number {
    const full = Math.max(0, this.#pieces.length - 1) * pieceLength
    return full + (this.#pieces.at(-1)?.length ?? 0)
  }

  get bytes(): number {
    const ofPrefixes = [...this.#prefixes.values()].reduce((sum, { byteLength }) => sum + byteLength, 0)
    return this.#pieces.reduce((sum, piece) => sum + piece.bytes + 400, ofPrefixes)
  }

  /** For the encoder. Not to be written. */
  get pieces(): readonly TextPiece[] {
    return this.#pieces
  }

  get(position: number): Value {
    return this.#pieces[Math.floor(position / pieceLength)]?.get(position % pieceLength) ?? null
  }

  set(position: number, value: Value): Vector {
    const text = isMissing(value) ? null : value
    if (text !== null && typeof text !== 'string') return this.#refit(valuesWith(this, position, value))
    if (text === null && position >= this.length) return this
    const piece = Math.floor(position / pieceLength)
    while (this.#pieces.length <= piece) this.#pieces.push(new TextPiece())
    this.#pieces[piece]!.set(position % pieceLength, text)
    for (const beginning of this.#prefixes.keys()) this.#setPrefix(beginning, position, text)
    return this
  }

  narrow(mask: Uint8Array, test: ColumnTest): void {
    for (const [index, piece] of this.#pieces.entries()) {
      const start = index * pieceLength
      if (start < mask.length) piece.narrow(mask.subarray(start, start + pieceLength), test)
    }
    mask.fill(0, Math.min(mask.length, this.#pieces.length * pieceLength))
  }

  /**
   * Copies the prefixes (`prefixOf`) of some positions, which rise, to `out` from `at` on, NaN when missing; with a
   * beginning, those of what follows it (`prefixAfter`).
   */
  gather(positions: Uint16Array, out: Float64Array, at: number, beginning = ''): void {
    gatherDoubles(this.#prefixesAfter(beginning), positions, out, at)
  }

  #prefixesAfter(beginning: string): Float64Array {
    let prefixes = this.#prefixes.get(beginning)
    if (!prefixes) {
      prefixes = new Float64Array(this.length).fill(Number.NaN)
      for (const [index, piece] of this.#pieces.entries()) piece.writePrefixes(beginning, prefixes, index * pieceLength)
      this.#forgetOldest()
    }
    // The last in the map is the last that was asked for.
    this.#prefixes.delete(beginning)
    this.#prefixes.set(beginning, prefixes)
    return prefixes
  }

  #forgetOldest(): void {
    if (this.#prefixes.size <= maxBeginnings) return
    for (const beginning of this.#prefixes.keys()) {
      if (beginning === '') continue
      this.#prefixes.delete(beginning)
      return
    }
  }

  #setPrefix(beginning: string, position: number, text: string | null): void {
    let prefixes = this.#prefixes.get(beginning)!
    if (position >= prefixes.length) {
      const longer = new Float64Array(grownLength(prefixes.length, position)).fill(Number.NaN)
      longer.set(prefixes)
      this.#prefixes.set(beginning, (prefixes = longer))
    }
    prefixes[position] = text === null ? Number.NaN : prefixAfter(beginning, text)
  }
}
