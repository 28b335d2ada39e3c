import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type ListQuery, titleOf, titleQuery, windowQuery } from '../../api/records.ts'
import { type Field, tableQuery } from '../../api/tables.ts'
import type { EditProps, FieldModule, ValueProps } from '../field-module.ts'
import { inputProps } from '../input-props.ts'

const builtIn: ReadonlyMap<string, string> = new Map([
  ['company', 'sys_companies'],
  ['org_unit', 'sys_org_units'],
])

/** The table that a field refers to. */
export const targetOf = ({ type, target_table: target }: Field): string => builtIn.get(type) ?? target ?? ''

function useTitle({ field, value, expanded }: ValueProps): string {
  const target = targetOf(field)
  const { data: table } = useQuery(tableQuery(target))
  const id = Number(value)
  const { data: title } = useQuery({
    ...titleQuery(target, id, table?.title_field),
    enabled: table !== undefined && !expanded,
  })
  return expanded
    ? titleOf({ id, ...(expanded.data && { data: expanded.data }) }, table?.title_field)
    : (title ?? `#${id}`)
}

function Show(props: ValueProps) {
  return (
    <Link to="/e/$model/$id" params={{ model: targetOf(props.field), id: String(props.value) }}>
      {useTitle(props)}
    </Link>
  )
}

const Cell = (props: ValueProps) => <span>{useTitle(props)}</span>

/** Chooses a record by the words of its title. */
function Edit(props: EditProps) {
  const { field, value, onChange, required } = props
  const target = targetOf(field)
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed, 200)
  const { data: table } = useQuery(tableQuery(target))
  const titleField = table?.title_field
  const { data: current } = useQuery({
    ...titleQuery(target, Number(value), titleField),
    enabled: table !== undefined && typeof value === 'number',
  })
  // The title of what is chosen stands in the field, and is nothing to look for.
  const query: ListQuery = search === '' || search === current ? {} : { search }
  const { data: found } = useQuery({ ...windowQuery(target, query, 0), placeholderData: keepPreviousData })
  const items = (found?.rows ?? [])
    .slice(0, 20)
    .map((row) => ({ value: String(row.id), label: titleOf(row, titleField) }))
  const chosen = typeof value === 'number' && !items.some((one) => one.value === String(value))
  return (
    <Select
      {...inputProps(props)}
      data={chosen ? [{ value: String(value), label: current ?? `#${String(value)}` }, ...items] : items}
      value={typeof value === 'number' ? String(value) : null}
      onChange={(id) => onChange(id === null ? null : Number(id))}
      searchable
      onSearchChange={setTyped}
      filter={({ options }) => options}
      clearable={!required}
    />
  )
}

export const reference: FieldModule = {
  Show,
  Cell,
  Edit,
  operators: ['_eq', '_neq', '_null', '_nnull'],
  width: 180,
  editsInCell: true,
  expands: true,
}
