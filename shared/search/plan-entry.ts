import { noContent, type IndexContent } from './index-content.ts'
import { maxFormer, type Manifest } from './manifest.ts'

/** A posting to be written or removed. */
export interface PostingChange {
  readonly generation: number
  readonly token: string
}
export interface PostingPut extends PostingChange {
  readonly weight: number
}

/** By how much a counter moves. */
export interface CounterMove {
  readonly generation: number
  readonly field: string
  /** The key of the value's counter. */
  readonly value: string
  readonly by: 1 | -1
}

/** What brings the index of one record from `before` to `next`. */
export interface EntryPlan {
  readonly before: Manifest | undefined
  readonly next: Manifest
  readonly puts: readonly PostingPut[]
  readonly removals: readonly PostingChange[]
  readonly counters: readonly CounterMove[]
}

/** What the index should say of a record; `content` is undefined when it is gone. */
export interface Wanted {
  readonly version: number
  readonly tableVersion: number
  readonly generation: number
  readonly content: IndexContent | undefined
}

/**
 * How to bring the index into step with a record; undefined when it is, or when it knows a later version. A record that
 * moves into another generation is written there in full and taken out of the old one.
 */
export function planEntry(wanted: Wanted, before: Manifest | undefined): EntryPlan | undefined {
  if (before && isInStep(wanted, before)) return undefined
  const { generation, version, tableVersion } = wanted
  const content = wanted.content ?? noContent
  const held: IndexContent = before ?? noContent
  const moved = before !== undefined && before.generation !== generation
  const former = moved ? [] : formerWords(before, content)
  const next: Manifest = {
    ...content,
    rev: (before?.rev ?? 0) + 1,
    version,
    tableVersion,
    generation,
    isGone: !wanted.content,
    former,
  }
  const isNew = (token: string, weight: number): boolean => moved || held.tokens.get(token) !== weight
  return {
    before,
    next,
    puts: [...content.tokens]
      .filter(([token, weight]) => isNew(token, weight))
      .map(([token, weight]) => ({ generation, token, weight })),
    removals: before
      ? [...before.tokens.keys()]
          .filter((token) => moved || !content.tokens.has(token))
          .map((token) => ({ generation: before.generation, token }))
      : [],
    counters: [...(before ? movesOf(before, -1) : []), ...movesOf({ ...content, generation }, 1)].filter(
      ({ field }) => moved || held.counted.get(field) !== content.counted.get(field),
    ),
  }
}

/** Everything the manifest says, once more: for whoever cannot know what was written of it. */
export const repeatEntry = (manifest: Manifest): Pick<EntryPlan, 'puts' | 'removals'> => ({
  puts: [...manifest.tokens].map(([token, weight]) => ({ generation: manifest.generation, token, weight })),
  removals: manifest.former.map((token) => ({ generation: manifest.generation, token })),
})

function isInStep({ version, generation, content }: Wanted, before: Manifest): boolean {
  if (!content) return before.isGone
  if (before.version !== version) return before.version > version
  return (
    !before.isGone &&
    before.generation === generation &&
    sameEntries(before.tokens, content.tokens) &&
    sameEntries(before.counted, content.counted)
  )
}

function sameEntries<T>(a: ReadonlyMap<string, T>, b: ReadonlyMap<string, T>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value)
}

/** The newest last, as many as are kept. */
function formerWords(before: Manifest | undefined, { tokens }: IndexContent): string[] {
  if (!before) return []
  return [...new Set([...before.former, ...before.tokens.keys()])]
    .filter((token) => !tokens.has(token))
    .slice(-maxFormer)
}

const movesOf = ({ counted, generation }: Pick<Manifest, 'counted' | 'generation'>, by: 1 | -1): CounterMove[] =>
  [...counted].map(([field, value]) => ({ generation, field, value, by }))
