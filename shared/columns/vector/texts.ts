import type { ColumnTest } from '../predicate.ts'
import type { Value } from '../scalar.ts'
import { prefixOf } from './prefix.ts'
import { pieceLength, TextPiece } from './text-piece.ts'
import { grownLength, isMissing, valuesWith, type Refit, type Vector } from './vector.ts'

/** Texts, most of them distinct. */
export class TextsVector implements Vector {
  readonly form = 'texts'
  #refit: Refit
  #pieces: TextPiece[]
  /** The prefix of each text; made at the first sort. */
  #prefixes: Float64Array | undefined

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
    return this.#pieces.reduce((sum, piece) => sum + piece.bytes + 400, this.#prefixes?.byteLength ?? 0)
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
    if (this.#prefixes) this.#setPrefix(this.#prefixes, position, text)
    return this
  }

  narrow(mask: Uint8Array, test: ColumnTest): void {
    for (const [index, piece] of this.#pieces.entries()) {
      const start = index * pieceLength
      if (start < mask.length) piece.narrow(mask.subarray(start, start + pieceLength), test)
    }
    mask.fill(0, Math.min(mask.length, this.#pieces.length * pieceLength))
  }

  /** Copies the prefixes (`prefixOf`) of some positions to `out` from `at` on; Infinity when missing. */
  gather(positions: Uint16Array, out: Float64Array, at: number): void {
    const prefixes = (this.#prefixes ??= this.#makePrefixes())
    for (let k = 0; k < positions.length; k += 1) {
      out[at + k] = positions[k]! < prefixes.length ? prefixes[positions[k]!]! : Infinity
    }
  }

  #makePrefixes(): Float64Array {
    const prefixes = new Float64Array(this.length).fill(Infinity)
    for (const [index, piece] of this.#pieces.entries()) piece.writePrefixes(prefixes, index * pieceLength)
    return prefixes
  }

  #setPrefix(prefixes: Float64Array, position: number, text: string | null): void {
    if (position >= prefixes.length) {
      this.#prefixes = new Float64Array(grownLength(prefixes.length, position)).fill(Infinity)
      this.#prefixes.set(prefixes)
    }
    this.#prefixes![position] = text === null ? Infinity : prefixOf(text)
  }
}
