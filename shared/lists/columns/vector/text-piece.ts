import type { ColumnTest } from '../predicate.ts'
import {
  isSparse,
  joinTexts,
  keepEdges,
  keepMatching,
  knownOf,
  lowerCaseOf,
  sizeOf,
  textAt,
  type JoinedTexts,
} from './joined-texts.ts'
import { keepPassing, KeptPasses, passesOf } from './kept-passes.ts'
import { keepMask } from './number-kernels.ts'
import { prefixAfter } from './prefix.ts'

/** How many texts a piece holds at most. */
export const pieceLength = 4096
const maxChanged = 256

/** The texts of up to 4,096 positions: one string, and what changed since that was made. */
export class TextPiece {
  #texts: JoinedTexts
  /** 1 for a text, be it empty, 0 for none. */
  #known: Uint8Array
  #changed = new Map<number, string | null>()
  #changedUnits = 0
  /** The string in lower case; its ends are others when that changes lengths. Made at the first test that needs it. */
  #folded: JoinedTexts | undefined
  #textBytes: number | undefined
  #length: number
  /** Which of the texts, without what changed since, pass tests that were asked for lately. */
  #passes = new KeptPasses()

  static of(texts: readonly (string | null)[]): TextPiece {
    return new TextPiece(joinTexts(texts), knownOf(texts))
  }

  /** What is given becomes the piece's own. */
  constructor(texts: JoinedTexts = { text: '', ends: new Uint32Array(0) }, known = new Uint8Array(0)) {
    this.#texts = texts
    this.#known = known
    this.#length = known.length
  }

  /** Positions from here on have no text. */
  get length(): number {
    return this.#length
  }

  get bytes(): number {
    this.#textBytes ??= sizeOf(this.#texts.text) + (this.#folded ? sizeOf(this.#folded.text) : 0)
    return (
      this.#textBytes + this.#passes.bytes + 5 * this.#known.length + 64 * this.#changed.size + 2 * this.#changedUnits
    )
  }

  /** All of it as one string, with 1 for each position that has a text. Not to be written. */
  get settled(): JoinedTexts & { readonly known: Uint8Array } {
    this.#settle()
    return { ...this.#texts, known: this.#known }
  }

  get(position: number): string | null {
    const changed = this.#changed.get(position)
    if (changed !== undefined) return changed
    return this.#known[position] === 1 ? textAt(this.#texts, position) : null
  }

  set(position: number, text: string | null): void {
    this.#changedUnits += (text?.length ?? 0) - (this.#changed.get(position)?.length ?? 0)
    this.#changed.set(position, text)
    if (position >= this.#length) this.#length = position + 1
    if (this.#changed.size >= maxChanged) this.#settle()
  }

  /** Clears the bytes of the mask whose text fails; bytes beyond the piece's length are cleared too. */
  narrow(mask: Uint8Array, test: ColumnTest): void {
    const changed: [number, number][] = []
    for (const [position, text] of this.#changed) {
      if (position >= mask.length) continue
      changed.push([position, text !== null && mask[position] === 1 && test.passes(text) ? 1 : 0])
    }
    this.#narrowSettled(mask.subarray(0, this.#known.length), test)
    mask.fill(0, Math.min(mask.length, this.#known.length))
    for (const [position, byte] of changed) mask[position] = byte
  }

  /** Writes the prefix of what follows a beginning in each text to `out` from `at` on; NaN for none. */
  writePrefixes(beginning: string, out: Float64Array, at: number): void {
    const { text, ends, known } = this.settled
    for (let i = 0, start = 0; i < known.length; i += 1) {
      out[at + i] = known[i] === 1 ? prefixAfter(beginning, text, start, ends[i]!) : Number.NaN
      start = ends[i]!
    }
  }

  #narrowSettled(mask: Uint8Array, test: ColumnTest): void {
    const { predicate } = test
    switch (predicate.op) {
      case 'contains':
      case 'starts':
      case 'ends':
      case 'same': {
        const { op, folded } = predicate
        const { wanted = '', name = '' } = test
        const known = this.#passes.get(name)
        if (known) return keepPassing(mask, known)
        const texts = folded ? this.#lowerCase() : this.#texts
        if (isSparse(mask) || !this.#passes.isAgain(name)) {
          keepMask(mask, this.#known)
          return keepMatching(mask, texts, wanted, op)
        }
        const passing = this.#known.slice()
        keepMatching(passing, texts, wanted, op)
        const passes = passesOf(passing)
        this.#passes.keep(name, passes)
        return keepPassing(mask, passes)
      }
      default:
        keepMask(mask, this.#known)
    }
    switch (predicate.op) {
      case 'present':
        return
      case 'equals':
        if (typeof predicate.value === 'string') return keepEdges(mask, this.#texts, predicate.value, 'equals')
        return void mask.fill(0)
      default:
        for (let i = 0; i < mask.length; i += 1) {
          if (mask[i] === 1) mask[i] = test.passes(textAt(this.#texts, i)) ? 1 : 0
        }
    }
  }

  #settle(): void {
    if (this.#changed.size === 0) return
    const texts: (string | null)[] = []
    for (let position = 0; position < this.#length; position += 1) texts.push(this.get(position))
    this.#texts = joinTexts(texts)
    this.#known = knownOf(texts)
    this.#textBytes = undefined
    this.#passes.clear()
    this.#changed.clear()
    this.#changedUnits = 0
    this.#folded = undefined
  }

  #lowerCase(): JoinedTexts {
    if (!this.#folded) {
      this.#folded = lowerCaseOf(this.#texts)
      this.#textBytes = undefined
    }
    return this.#folded
  }
}
