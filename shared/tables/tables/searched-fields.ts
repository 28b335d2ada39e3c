import { storedName } from '../../platform/store/rows/stored-names.ts'
import { typeOfField } from '../field-types/read-field.ts'
import type { Table } from './table.ts'

export interface SearchedField {
  readonly name: string
  /** The column that holds it: the name under which records store it. */
  readonly column: string
  /** The rank of a word that occurs once in this field. */
  readonly weight: number
}

const titleWeight = 80

/** The fields that search indexes, the title first: only the first words of a record are indexed (contract §3). */
export function searchedFields(table: Pick<Table, 'table_fields' | 'title_field' | 'storedNames'>): SearchedField[] {
  const isTitle = ({ name }: { readonly name: string }): boolean => name === table.title_field
  return table.table_fields
    .flatMap((field) => {
      const weight = typeOfField(field).searchWeight?.(field)
      return weight === undefined
        ? []
        : [
            {
              name: field.name,
              column: storedName(table, field.name),
              weight: isTitle(field) ? titleWeight : weight,
            },
          ]
    })
    .sort((a, b) => Number(isTitle(b)) - Number(isTitle(a)))
}
