import { maxSearchWords } from '../../../kernel/limits/lists.ts'
import { nameOfStored } from '../../../platform/store/rows/stored-names.ts'
import { cutText } from '../../columns/column-values.ts'
import { scoreWords, termsOf, tokensOf } from '../../search/terms.ts'
import { searchedColumns, type SearchedTable, wordsOf } from '../../search/words-of.ts'
import type { SortKey } from '../read/order.ts'
import type { Row } from '../read/row.ts'
import type { QueryField } from './expression.ts'
import { idField } from './field.ts'

/** A parsed search: a record must have every word, the last one as a prefix. */
export interface SearchTerms {
  readonly words: readonly string[]
  matches(row: Row): boolean
  /** Set when field rules hide searched fields: words do not know their field, so what they find is scored anew. */
  readonly rescore?: {
    /** The searched fields that the viewer may read. */
    readonly columns: readonly string[]
    /** How well a record with these values matches; 0: not at all. */
    score(valueOf: (name: string) => unknown): number
  }
  /** How well a record matches: the default sort key of a search. */
  readonly rank: QueryField
}

/** Parses the text of a search. `readable`: the fields that the viewer may read; undefined: all. */
export function searchTerms(
  whole: SearchedTable,
  text: string,
  readable: ReadonlySet<string> | undefined,
): SearchTerms {
  const table = readable ? limitedTo(readable, whole) : whole
  const words = tokensOf(text).slice(0, maxSearchWords)
  const terms = termsOf(words)
  const scores = new WeakMap<Row, number>()
  const score = (row: Row): number => {
    const known = scores.get(row) ?? scoreWords(wordsOf(table, byColumn(table, valuesOf(row))), terms)
    scores.set(row, known)
    return known
  }
  const rank: QueryField = { ...idField, path: '$rank', name: '$rank', readValue: score }
  const names = searchedColumns(table).map((column) => nameOfStored(table, column))
  const isLimited = names.length < searchedColumns(whole).length
  return {
    words,
    rank,
    matches: (row) => score(row) > 0,
    ...(isLimited && {
      rescore: {
        columns: names,
        score: (valueOf: (name: string) => unknown) =>
          mayMatch(names.map(valueOf), words) ? scoreWords(wordsOf(table, byColumn(table, valueOf)), terms) : 0,
      },
    }),
  }
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

/** A quick look before the words are taken apart. Texts beyond ASCII pass, because their words are folded. */
function mayMatch(values: readonly unknown[], words: readonly string[]): boolean {
  const texts = values.filter((value) => typeof value === 'string').map((text) => text.toLowerCase())
  return words.every((word) => texts.some((text) => text.includes(word) || /[^ -~\t\r\n]/.test(text)))
}
