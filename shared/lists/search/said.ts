import type { SaidKind } from '../../platform/queue/change-feed/said-event.ts'
import type { SearchedTable } from './words-of.ts'

/*
 * What people said about records, in comments and messages, is searched as the records of a table that nobody else sees
 * (docs/decisions/0142): its columns hold the words, and which records they were said about.
 */

/** The columns that a search reads besides the words. */
export const saidColumns = ['about', 'internal', 'message'] as const

/** The beginning of the text, word for word: where phrases are found. */
export const textColumns = ['who', 'text', 'text2', 'text3', 'text4'] as const
/** As many columns of the other words as hold those that a search looks at. */
export const wordColumns = ['words', 'words2', 'words3', 'words4']
/** The table, for the words of its columns. */
export const saidTable: SearchedTable = {
  table_fields: [...textColumns, ...wordColumns].map((name) => ({ name, type: 'text' as const })),
  title_field: 'who',
}

/** The id of a record of a table in a value of `about`; undefined for a record of another table. */
export const idInAbout = (text: string, model: string): number | undefined =>
  text.startsWith(`${model}#`) ? Number(text.slice(model.length + 1)) : undefined

/** Of what was said about records of a table: internal comments, and the messages that came in. */
export interface Hearing {
  readonly internal: boolean
  readonly messages: boolean
}

/** Which records of a table have a word of a search in what was said about them. */
export interface Heard {
  /** By id how well a term matches, of the term with this index. */
  ofTerm(index: number): ReadonlyMap<number, number>
  /** The records that have one of the terms, and what has it. */
  readonly ids: ReadonlyMap<number, ReadonlySet<SaidKind>>
}

/** How well each term matches in what was said about a record. */
export const weightIn =
  (heard: Heard | undefined, id: number): ((index: number) => number) =>
  (index) =>
    heard?.ofTerm(index).get(id) ?? 0
