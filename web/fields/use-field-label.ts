import { useTranslation } from 'react-i18next'
import { type Field, labelOf } from '../api/tables.ts'
import { isStandard } from './registry.ts'

/** Names fields for people: the label of the configuration, and the words of the app for what every record has. */
export function useFieldLabel(): (field: Pick<Field, 'name' | 'label'>) => string {
  const { t } = useTranslation()
  return (field) =>
    isStandard(field.name) ? t(`standardFields.${field.name.replace('.', '_') as 'id'}`) : labelOf(field)
}
