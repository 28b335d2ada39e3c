import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EditProps, FieldModule, Operator, ValueProps } from '../field-module.ts'
import { inputProps } from '../input-props.ts'

const operators: readonly Operator[] = ['_eq', '_neq', '_gte', '_lte', '_gt', '_lt', '_null', '_nnull']

function Show({ value }: ValueProps) {
  const { language } = useTranslation().i18n
  return (
    <span className="number">
      {typeof value === 'number' ? new Intl.NumberFormat(language).format(value) : String(value)}
    </span>
  )
}

/** What is typed stays as it is: what the service cannot read comes back as an error next to the field. */
const edit = (read: (text: string) => unknown, mode: 'numeric' | 'decimal') =>
  function EditNumber(props: EditProps) {
    const { value, onChange } = props
    const [typed, setTyped] = useState<string>()
    const text =
      typed !== undefined && read(typed) === (value ?? null)
        ? typed
        : value === null || value === undefined
          ? ''
          : String(value)
    return (
      <TextInput
        {...inputProps(props)}
        inputMode={mode}
        value={text}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          onChange(read(event.currentTarget.value))
        }}
      />
    )
  }

const readNumber = (text: string): unknown => {
  const plain = text.trim().replace(',', '.')
  if (plain === '') return null
  return Number.isFinite(Number(plain)) && !plain.endsWith('.') ? Number(plain) : plain
}
const readDecimal = (text: string): unknown => (text.trim() === '' ? null : text.trim().replace(',', '.'))

export const number: FieldModule = {
  Show,
  Edit: edit(readNumber, 'decimal'),
  operators,
  width: 110,
  align: 'end',
  editsInCell: true,
}
export const integer: FieldModule = { ...number, Edit: edit(readNumber, 'numeric'), groups: true }
/** Exact: a text of digits, which is never computed with here. */
export const decimal: FieldModule = { ...number, Edit: edit(readDecimal, 'decimal') }
