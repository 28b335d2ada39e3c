import { useTranslation } from 'react-i18next'
import type { Unmerge } from '../api/merge.ts'
import { fieldsOf, labelOf, type Table } from '../api/tables.ts'
import { tell } from '../parts/undo.tsx'

/** Says that a merge was taken back, and what others changed since and is left as it is. */
export function useTellUnmerged(table: Table): (result: Unmerge) => void {
  const { t } = useTranslation()
  const nameOf = (name: string): string => labelOf(fieldsOf(table).find((field) => field.name === name) ?? { name })
  return ({ kept }) => {
    const records = kept.map(({ id, fields }) => `${id} (${fields.map(nameOf).join(', ')})`).join(', ')
    tell(
      kept.length === 0 ? t('merge.undone') : `${t('merge.undone')} ${t('bulk.kept', { count: kept.length, records })}`,
    )
  }
}
