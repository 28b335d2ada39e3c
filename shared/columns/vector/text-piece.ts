import type { ColumnTest } from '../predicate.ts'
import { foldCase } from '../scalar.ts'
import { prefixWithin } from './prefix.ts'

/** How many texts a piece holds at most. */
export const pieceLength = 4096
const maxChanged = 256

/** Texts of consecutive positions as one string. `ends` says where each ends in it. */
export interface JoinedTexts {
  readonly text: string
  readonly ends: Uint32Array
}

/** The texts of up to 4,096 positions: one string, and what changed since that was made. */
export class TextPiece {
  #texts: JoinedTexts
  /** 1 for a text, be it empty, 0 for none. */
  #known: Uint8Array
  #changed = new Map<number, string | null>()
  #changedUnits = 0
  /** The string in lower case; its ends are others when that changes lengths. Made at the first test that needs it. */
  #folded: JoinedTexts | undefined
  #length: number

  static of(texts: readonly (string | null)[]): TextPiece {
    const known = Uint8Array.from(texts, (text) => (text === null ? 0 : 1))
    return new TextPiece(joinTexts(texts), known)
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
    const folded = this.#folded ? sizeOf(this.#folded.text) : 0
    return sizeOf(this.#texts.text) + folded + 5 * this.#known.length + 64 * this.#changed.size + 2 * this.#changedUnits
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
    this.#changed.set(position, text)
    this.#changedUnits += text?.length ?? 0
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

  /** Writes the prefix of each text to `out` from `at` on; Infinity for none. */
  writePrefixes(out: Float64Array, at: number): void {
    const { text, ends, known } = this.settled
    for (let i = 0, start = 0; i < known.length; i += 1) {
      out[at + i] = known[i] === 1 ? prefixWithin(text, start, ends[i]!) : Infinity
      start = ends[i]!
    }
  }

  #narrowSettled(mask: Uint8Array, test: ColumnTest): void {
    const { predicate } = test
    for (let i = 0; i < mask.length; i += 1) mask[i]! &= this.#known[i]!
    switch (predicate.op) {
      case 'present':
        return
      case 'contains':
      case 'starts':
      case 'ends': {
        const texts = predicate.folded ? this.#lowerCase() : this.#texts
        const wanted = predicate.folded ? foldCase(predicate.text) : predicate.text
        if (wanted === '') return
        if (predicate.op !== 'contains') return keepEdges(mask, texts, wanted, predicate.op)
        return isSparse(mask) ? keepContaining(mask, texts, wanted) : keepFound(mask, texts, wanted)
      }
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
    const texts = Array.from({ length: this.#length }, (_, position) => this.get(position))
    this.#texts = joinTexts(texts)
    this.#known = Uint8Array.from(texts, (text) => (text === null ? 0 : 1))
    this.#changed.clear()
    this.#changedUnits = 0
    this.#folded = undefined
  }

  #lowerCase(): JoinedTexts {
    return (this.#folded ??= lowerCaseOf(this.#texts))
  }
}

/** The text of a position. */
function textAt({ text, ends }: JoinedTexts, position: number): string {
  return text.slice(position === 0 ? 0 : ends[position - 1], ends[position])
}

/** Characters whose lower case depends on what is beside them, or is longer: then each text is folded for itself. */
const foldedApart = /[\u0130\u03a3\ud800-\udfff]/

function lowerCaseOf(texts: JoinedTexts): JoinedTexts {
  if (!foldedApart.test(texts.text)) return { text: foldCase(texts.text), ends: texts.ends }
  return joinTexts(Array.from(texts.ends, (_, position) => foldCase(textAt(texts, position))))
}

function joinTexts(texts: readonly (string | null)[]): JoinedTexts {
  const ends = new Uint32Array(texts.length)
  let end = 0
  for (let i = 0; i < texts.length; i += 1) {
    end += texts[i]?.length ?? 0
    ends[i] = end
  }
  return { text: texts.join(''), ends }
}

/** Whether so few bytes are left that testing text by text is quicker than a search through all of them. */
function isSparse(mask: Uint8Array): boolean {
  let count = 0
  for (let i = 0; i < mask.length; i += 1) count += mask[i]!
  return count * 16 < mask.length
}

/** Keeps what contains `wanted`: each occurrence in the one string is looked up among the ends. */
function keepFound(mask: Uint8Array, { text, ends }: JoinedTexts, wanted: string): void {
  let i = 0
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, ends[i - 1])) {
    while (ends[i]! <= at) mask[i++] = 0
    // What crosses the end of this text is no occurrence, nor is a later one that begins in it.
    if (at + wanted.length > ends[i]!) mask[i] = 0
    i += 1
  }
  mask.fill(0, i)
}

function keepContaining(mask: Uint8Array, texts: JoinedTexts, wanted: string): void {
  for (let i = 0; i < mask.length; i += 1) if (mask[i] === 1) mask[i] = +textAt(texts, i).includes(wanted)
}

function keepEdges(
  mask: Uint8Array,
  { text, ends }: JoinedTexts,
  wanted: string,
  edge: 'starts' | 'ends' | 'equals',
): void {
  for (let i = 0, start = 0; i < mask.length; i += 1) {
    const end = ends[i]!
    if (mask[i] === 1) {
      const isLong = edge === 'equals' ? end - start === wanted.length : end - start >= wanted.length
      mask[i] = +(isLong && text.startsWith(wanted, edge === 'ends' ? end - wanted.length : start))
    }
    start = end
  }
}

/** The memory of a string: V8 keeps Latin-1 in one byte a character. */
const sizeOf = (text: string): number => (/[\u0100-\uffff]/.test(text) ? 2 : 1) * text.length
