import { noContent, type IndexContent } from './index-content.ts'
import { maxFormerWords, type Manifest } from './manifest.ts'

/** A posting to write or remove. */
export interface PostingChange {
  readonly generation: number
  readonly token: string
}
export interface PostingPut extends PostingChange {
  readonly weight: number
}

/** A change of one counter. */
export interface CounterMove {
  readonly generation: number
  readonly field: string
  /** The sort key of the value's counter. */
  readonly value: string
  readonly by: 1 | -1
}

/** The changes that bring the index entry of one record from `before` to `next`. */
export interface EntryPlan {
  readonly before: Manifest | undefined
  readonly next: Manifest
  readonly puts: readonly PostingPut[]
  readonly removals: readonly PostingChange[]
  readonly counters: readonly CounterMove[]
}

/** The wanted index entry of a record; `content` is undefined when the record is deleted. */
export interface Wanted {
  readonly version: number
  readonly tableVersion: number
  readonly generation: number
  readonly content: IndexContent | undefined
}

/**
 * Plans the update of a record's index entry; undefined when the entry is current or of a later version. A record that
 * moves to another generation is written there in full and removed from the old one.
 */
export function planEntry(wanted: Wanted, before: Manifest | undefined): EntryPlan | undefined {
  if (before && isCurrent(wanted, before)) return undefined
  const { generation, version, tableVersion } = wanted
  const content = wanted.content ?? noContent
  const indexed: IndexContent = before ?? noContent
  const moved = before !== undefined && before.generation !== generation
  const former = moved ? [] : formerWords(before, content)
  const next: Manifest = {
    ...content,
    rev: (before?.rev ?? 0) + 1,
    version,
    tableVersion,
    generation,
    isDeleted: !wanted.content,
    former,
  }
  const isNew = (token: string, weight: number): boolean => moved || indexed.tokens.get(token) !== weight
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
      ({ field }) => moved || indexed.counted.get(field) !== content.counted.get(field),
    ),
  }
}

/**
 * All postings of a manifest, and the removal of all its former ones: for a writer that cannot know what was written.
 */
export const allPostings = (manifest: Manifest): Pick<EntryPlan, 'puts' | 'removals'> => ({
  puts: [...manifest.tokens].map(([token, weight]) => ({ generation: manifest.generation, token, weight })),
  removals: manifest.former.map((token) => ({ generation: manifest.generation, token })),
})

function isCurrent({ version, generation, content }: Wanted, before: Manifest): boolean {
  if (!content) return before.isDeleted
  if (before.version !== version) return before.version > version
  return (
    !before.isDeleted &&
    before.generation === generation &&
    sameEntries(before.tokens, content.tokens) &&
    sameEntries(before.counted, content.counted)
  )
}

function sameEntries<T>(a: ReadonlyMap<string, T>, b: ReadonlyMap<string, T>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value)
}

/** The newest former words, at most `maxFormerWords`, newest last. */
function formerWords(before: Manifest | undefined, { tokens }: IndexContent): string[] {
  if (!before) return []
  return [...new Set([...before.former, ...before.tokens.keys()])]
    .filter((token) => !tokens.has(token))
    .slice(-maxFormerWords)
}

const movesOf = ({ counted, generation }: Pick<Manifest, 'counted' | 'generation'>, by: 1 | -1): CounterMove[] =>
  [...counted].map(([field, value]) => ({ generation, field, value, by }))
