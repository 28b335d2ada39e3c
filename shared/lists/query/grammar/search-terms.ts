import { nameOfStored } from '../../../platform/store/rows/stored-names.ts'
import { cutText } from '../../columns/column-values.ts'
import { type Heard, type Hearing, weightIn } from '../../search/said.ts'
import { hasPhrase, hasTerm, phrasesOf, scoreWords, type Term, termsOf, tokensOf } from '../../search/terms.ts'
import { searchedColumns, type SearchedTable, wordsOf } from '../../search/words-of.ts'
import type { SortKey } from '../read/order.ts'
import type { Row } from '../read/row.ts'
import type { QueryField } from './expression.ts'
import { idField } from './field.ts'

/** A parsed search: a record must have every word, the last one as a prefix, and every phrase in one text. */
export interface SearchTerms {
  readonly terms: readonly Term[]
  /** What the viewer may hear of what was said about records. */
  readonly hears: Hearing
  /** The records that have words of it in what was said about them, once the columns were asked. */
  heard: Heard | undefined
  matches(row: Row): boolean
  /** Where a record has the words: names of fields that the viewer may read, `comments`, `messages`. */
  matchedIn(row: Row): string[]
  /** Set when field rules hide searched fields, and for phrases: words know neither their field nor each other, so what they find is scored anew. */
  readonly rescore?: {
    /** The searched fields that the viewer may read. */
    readonly columns: readonly string[]
    /** How well the record with this id and these values matches; 0: not at all. */
    score(id: number, valueOf: (name: string) => unknown): number
  }
  /** How well a record matches: the default sort key of a search. */
  readonly rank: QueryField
}

/** Parses the text of a search. `readable`: the fields that the viewer may read; undefined: all. */
export function searchTerms(
  whole: SearchedTable,
  text: string,
  readable: ReadonlySet<string> | undefined,
  hears: Hearing = { internal: false, messages: false },
): SearchTerms {
  const table = readable ? limitedTo(readable, whole) : whole
  const terms = termsOf(text)
  const phrases = phrasesOf(terms).map((phrase) => ({ phrase, term: terms.findIndex((one) => one.phrase === phrase) }))
  const names = searchedColumns(table).map((column) => nameOfStored(table, column))
  const hasPhrases = (id: number, valueOf: (name: string) => unknown): boolean =>
    phrases.every(
      ({ phrase, term }) =>
        search.heard?.ofTerm(term).has(id) === true || names.some((name) => hasPhrase(tokensIn(valueOf(name)), phrase)),
    )
  const scoreOf = (id: number, valueOf: (name: string) => unknown): number =>
    hasPhrases(id, valueOf)
      ? scoreWords(wordsOf(table, byColumn(table, valueOf)), terms, weightIn(search.heard, id))
      : 0
  const scores = new WeakMap<Row, number>()
  const score = (row: Row): number => {
    const known = scores.get(row) ?? scoreOf(row.id, valuesOf(row))
    scores.set(row, known)
    return known
  }
  const rank: QueryField = { ...idField, path: '$rank', name: '$rank', readValue: score }
  const isLimited = names.length < searchedColumns(whole).length
  const search: SearchTerms = {
    terms,
    hears,
    heard: undefined,
    rank,
    matches: (row) => score(row) > 0,
    matchedIn: (row) => [
      ...names.filter((name) => {
        const tokens = tokensIn(row.data[name])
        return terms.some((term) => hasTerm(tokens, term))
      }),
      ...[...(search.heard?.ids.get(row.id) ?? [])].map((kind) => `${kind}s`).sort(),
    ],
    ...((isLimited || phrases.length > 0) && {
      rescore: {
        columns: names,
        score: (id: number, valueOf: (name: string) => unknown) =>
          search.heard?.ids.has(id) || mayMatch(names.map(valueOf), terms) ? scoreOf(id, valueOf) : 0,
      },
    }),
  }
  return search
}

/** The values of a record by the columns of its fields. */
const byColumn =
  (table: SearchedTable, valueOf: (name: string) => unknown) =>
  (column: string): unknown =>
    valueOf(nameOfStored(table, column))

const limitedTo = (
  readable: ReadonlySet<string>,
  { table_fields, title_field, storedNames }: SearchedTable,
): SearchedTable => ({
  ...(storedNames && { storedNames }),
  table_fields: table_fields.filter(({ name }) => readable.has(name)),
  title_field,
})

/** Best match first, then newest first. */
export const byRank = ({ rank }: SearchTerms): readonly SortKey[] => [
  { field: rank, descending: true },
  { field: idField, descending: true },
]

/** The values of a record as columns hold them. */
const valuesOf =
  ({ data }: Row) =>
  (column: string): unknown => {
    const value = data[column]
    return typeof value === 'string' ? cutText(value) : value
  }

const tokensIn = (value: unknown): string[] => (typeof value === 'string' ? tokensOf(cutText(value)) : [])

/** A quick look before the words are taken apart. Texts beyond ASCII pass, because their words are folded. */
function mayMatch(values: readonly unknown[], terms: readonly Term[]): boolean {
  const texts = values.filter((value) => typeof value === 'string').map((text) => text.toLowerCase())
  return terms.every(({ word }) => texts.some((text) => text.includes(word) || /[^ -~\t\r\n]/.test(text)))
}
