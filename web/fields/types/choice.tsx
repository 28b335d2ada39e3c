import { MultiSelect, Select } from '@mantine/core'
import { type Choice, choiceLabel, type Field } from '../../api/tables.ts'
import { ColouredLabel } from '../../parts/coloured-label.tsx'
import type { EditProps, FieldModule, ValueProps } from '../field-module.ts'
import { inputProps } from '../input-props.ts'

export const choicesOf = ({ options, states }: Field): readonly Choice[] => options ?? states ?? []

/** What is chosen from: what is not offered any more stays where a record has it. */
export const choiceItems = (field: Field, kept: readonly unknown[] = []) =>
  choicesOf(field)
    .filter(({ slug, is_active: isActive }) => isActive !== false || kept.includes(slug))
    .map((one) => ({ value: one.slug, label: choiceLabel(one) }))

export function ShowChoice({ field, value }: ValueProps) {
  const chosen = choicesOf(field).find(({ slug }) => slug === value)
  return <ColouredLabel label={chosen ? choiceLabel(chosen) : String(value)} color={chosen?.color} />
}

const ShowChoices = ({ field, value }: ValueProps) => (
  <span className="labels">
    {(value as readonly string[]).map((slug) => (
      <ShowChoice key={slug} field={field} value={slug} />
    ))}
  </span>
)

function EditChoice(props: EditProps) {
  const { field, value, onChange, required } = props
  return (
    <Select
      {...inputProps(props)}
      data={choiceItems(field, [value])}
      value={typeof value === 'string' ? value : null}
      onChange={onChange}
      searchable={choicesOf(field).length > 8}
      clearable={!required}
    />
  )
}

export function EditChoices(props: EditProps) {
  const { field, value, onChange } = props
  const chosen = Array.isArray(value) ? (value as string[]) : []
  return (
    <MultiSelect
      {...inputProps(props)}
      data={choiceItems(field, chosen)}
      value={chosen}
      onChange={(slugs) => onChange(slugs.length > 0 ? slugs : null)}
      clearable
    />
  )
}

export const choice: FieldModule = {
  Show: ShowChoice,
  Edit: EditChoice,
  FilterValue: EditChoices,
  operators: ['_in', '_nin', '_null', '_nnull'],
  width: 150,
  editsInCell: true,
  groups: true,
}
export const choices: FieldModule = {
  Show: ShowChoices,
  Edit: EditChoices,
  operators: ['_has_any', '_null', '_nnull'],
  width: 200,
}
