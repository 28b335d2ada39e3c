import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Field } from '../../api/tables.ts'
import type { EditProps, FieldModule, ValueProps } from '../field-module.ts'
import { choice, EditChoices, ShowChoice } from './choice.tsx'

/** Whose turn it is in a conversation, as a field of choices with the words of the app. */
const withSides = (field: Field, t: TFunction): Field => ({
  ...field,
  options: [
    { slug: 'team', label: t('standardFields.side_team'), color: 'orange' },
    { slug: 'customer', label: t('standardFields.side_customer') },
  ],
})

function ShowTurn(props: ValueProps) {
  const { t } = useTranslation()
  return <ShowChoice {...props} field={withSides(props.field, t)} />
}

function ChooseTurn(props: EditProps) {
  const { t } = useTranslation()
  return <EditChoices {...props} field={withSides(props.field, t)} />
}

export const turn: FieldModule = {
  Show: ShowTurn,
  FilterValue: ChooseTurn,
  operators: choice.operators,
  width: choice.width,
}
