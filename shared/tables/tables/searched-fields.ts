import type { Field, FieldType } from './schema.ts'
import type { Table } from './table.ts'

const textTypes: ReadonlySet<FieldType> = new Set(['text', 'textarea'])

/** Text is searchable unless a field says otherwise (contract §3). */
const isSearchable = (field: Field): boolean => textTypes.has(field.type) && (field.searchable ?? true)

export interface SearchedField {
  readonly name: string
  /** The rank of a word that occurs once in this field. */
  readonly weight: number
}

const weightOf = (field: Field, isTitle: boolean): number => (isTitle ? 80 : field.type === 'text' ? 30 : 10)

/** The fields that search indexes, the title first: only the first words of a record are indexed. */
export function searchedFields(table: Pick<Table, 'table_fields' | 'title_field'>): SearchedField[] {
  const isTitle = ({ name }: Field): boolean => name === table.title_field
  return table.table_fields
    .filter(isSearchable)
    .sort((a, b) => Number(isTitle(b)) - Number(isTitle(a)))
    .map((field) => ({ name: field.name, weight: weightOf(field, isTitle(field)) }))
}
