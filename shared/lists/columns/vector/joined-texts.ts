import { foldCase } from '../scalar.ts'

/** Texts of consecutive positions as one string. `ends` says where each ends in it. */
export interface JoinedTexts {
  readonly text: string
  readonly ends: Uint32Array
}

/** The text of a position. */
export function textAt({ text, ends }: JoinedTexts, position: number): string {
  return text.slice(position === 0 ? 0 : ends[position - 1], ends[position])
}

/** Characters whose lower case depends on what is beside them, or is longer: then each text is folded for itself. */
const foldedApart = /[\u0130\u03a3\ud800-\udfff]/

/** The texts in lower case, each as `foldCase` makes it; their ends are others when that changes lengths. */
export function lowerCaseOf(texts: JoinedTexts): JoinedTexts {
  if (!foldedApart.test(texts.text)) return { text: foldCase(texts.text), ends: texts.ends }
  const folded: string[] = []
  for (let position = 0; position < texts.ends.length; position += 1) folded.push(foldCase(textAt(texts, position)))
  return joinTexts(folded)
}

/** Joins texts; null is as the empty text. */
export function joinTexts(texts: readonly (string | null)[]): JoinedTexts {
  const ends = new Uint32Array(texts.length)
  let end = 0
  for (let i = 0; i < texts.length; i += 1) {
    end += texts[i]?.length ?? 0
    ends[i] = end
  }
  return { text: texts.join(''), ends }
}

/** 1 for a text, 0 for null. */
export function knownOf(texts: readonly (string | null)[]): Uint8Array<ArrayBuffer> {
  const known = new Uint8Array(texts.length)
  for (let i = 0; i < texts.length; i += 1) known[i] = texts[i] === null ? 0 : 1
  return known
}

/** Whether so few bytes are left that testing text by text is quicker than a search through all of them. */
export function isSparse(mask: Uint8Array): boolean {
  let count = 0
  for (let i = 0; i < mask.length; i += 1) count += mask[i]!
  return count * 16 < mask.length
}

/** Keeps what matches `wanted` in this way. */
export function keepMatching(
  mask: Uint8Array,
  texts: JoinedTexts,
  wanted: string,
  op: 'contains' | 'starts' | 'ends' | 'same',
): void {
  if (op === 'same') keepEdges(mask, texts, wanted, 'equals')
  else if (wanted === '') return
  else if (op !== 'contains') keepEdges(mask, texts, wanted, op)
  else if (isSparse(mask)) keepContaining(mask, texts, wanted)
  else keepFound(mask, texts, wanted)
}

/** Keeps what contains `wanted`: each occurrence in the one string is looked up among the ends. */
function keepFound(mask: Uint8Array, texts: JoinedTexts, wanted: string): void {
  const { text, ends } = texts
  const rare = rareFrom(texts, wanted)
  const tail = wanted.slice(rare)
  const find = (from: number): number => {
    let at = text.indexOf(tail, from + rare) - rare
    while (rare > 0 && at >= 0 && !text.startsWith(wanted, at)) at = text.indexOf(tail, at + rare + 1) - rare
    return at
  }
  let i = 0
  for (let at = find(0); at >= 0; at = find(ends[i - 1]!)) {
    while (ends[i]! <= at) mask[i++] = 0
    // What crosses the end of this text is no occurrence, nor is a later one that begins in it.
    if (at + wanted.length > ends[i]!) mask[i] = 0
    i += 1
  }
  mask.fill(0, i)
}

/** So many characters tell how often each occurs. */
const sampled = 2048
/** How often the characters of texts occur, by the lower byte of each. */
const occurrences = new WeakMap<JoinedTexts, Uint16Array>()

function occurrencesIn(texts: JoinedTexts): Uint16Array {
  const known = occurrences.get(texts)
  if (known) return known
  const { text } = texts
  const counts = new Uint16Array(256)
  const step = Math.max(1, Math.floor(text.length / sampled))
  for (let at = 0; at < text.length; at += step) counts[text.charCodeAt(at) & 0xff]! += 1
  occurrences.set(texts, counts)
  return counts
}

/**
 * Where to begin looking for a text: `indexOf` stops at each occurrence of the first character, so that a rare one saves
 * most of these stops. Two characters at least are looked for, and the first one if no other is much rarer.
 */
function rareFrom(texts: JoinedTexts, wanted: string): number {
  const counts = occurrencesIn(texts)
  const often = (at: number): number => counts[wanted.charCodeAt(at) & 0xff] as number
  let rarest = 0
  for (let at = 1; at < wanted.length - 1; at += 1) if (often(at) < often(rarest)) rarest = at
  return often(rarest) * 2 < often(0) ? rarest : 0
}

/** The same, text by text. */
function keepContaining(mask: Uint8Array, texts: JoinedTexts, wanted: string): void {
  for (let i = 0; i < mask.length; i += 1) if (mask[i] === 1) mask[i] = +textAt(texts, i).includes(wanted)
}

/** Keeps what starts or ends with `wanted`, or equals it. */
export function keepEdges(
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
export const sizeOf = (text: string): number => (/[\u0100-\uffff]/.test(text) ? 2 : 1) * text.length
