import { Checkbox, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { EditProps, FieldModule, ValueProps } from '../field-module.ts'
import { inputProps } from '../input-props.ts'

function Show({ value }: ValueProps) {
  const { t } = useTranslation()
  return <span>{value === true ? t('fields.yes') : t('fields.no')}</span>
}

function Edit(props: EditProps) {
  const { value, onChange } = props
  const { required: _required, size, ...rest } = inputProps(props)
  return (
    <Checkbox
      {...rest}
      size={size}
      checked={value === true}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}

function FilterValue(props: EditProps) {
  const { t } = useTranslation()
  const { value, onChange } = props
  return (
    <Select
      {...inputProps(props)}
      data={[
        { value: 'true', label: t('fields.yes') },
        { value: 'false', label: t('fields.no') },
      ]}
      value={value === undefined || value === null ? null : String(value)}
      onChange={(chosen) => onChange(chosen === 'true')}
    />
  )
}

export const boolean: FieldModule = {
  Show,
  Edit,
  FilterValue,
  operators: ['_eq', '_null', '_nnull'],
  width: 90,
  groups: true,
}
