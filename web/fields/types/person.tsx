import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { peopleQuery, usePersonName } from '../../api/people.ts'
import type { EditProps, FieldModule, ValueProps } from '../field-module.ts'
import { inputProps } from '../input-props.ts'

const me = '$CURRENT_USER'

function Show({ value }: ValueProps) {
  const name = usePersonName(typeof value === 'number' ? value : null)
  const { t } = useTranslation()
  return <span>{value === me ? t('fields.me') : (name ?? '…')}</span>
}

const chooser = (words: readonly string[]) =>
  function EditPerson(props: EditProps) {
    const { value, onChange, required } = props
    const { t } = useTranslation()
    const [typed, setTyped] = useState('')
    const [search] = useDebouncedValue(typed, 200)
    const name = usePersonName(typeof value === 'number' ? value : null)
    const { data: people = [] } = useQuery({
      ...peopleQuery(search === name || search === t('fields.me') ? '' : search),
      placeholderData: keepPreviousData,
    })
    const items = [
      ...words.map((word) => ({ value: word, label: t('fields.me') })),
      ...people.map((person) => ({ value: String(person.id), label: person.name })),
    ]
    const isListed = items.some((one) => one.value === String(value))
    return (
      <Select
        {...inputProps(props)}
        data={
          typeof value === 'number' && !isListed
            ? [{ value: String(value), label: name ?? `#${value}` }, ...items]
            : items
        }
        value={value === null || value === undefined ? null : String(value)}
        onChange={(id) => onChange(id === null || words.includes(id) ? id : Number(id))}
        searchable
        onSearchChange={setTyped}
        filter={({ options }) => options}
        clearable={!required}
      />
    )
  }

export const person: FieldModule = {
  Show,
  Edit: chooser([]),
  FilterValue: chooser([me]),
  operators: ['_eq', '_neq', '_null', '_nnull'],
  width: 160,
  editsInCell: true,
  groups: true,
}
