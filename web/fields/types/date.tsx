import { TextInput } from '@mantine/core'
import { Day, Moment } from '../../parts/time.tsx'
import type { EditProps, FieldModule, Operator, ValueProps } from '../field-module.ts'
import { inputProps } from '../input-props.ts'

const operators: readonly Operator[] = ['_gte', '_lte', '_null', '_nnull']

/** A relative value of a filter, such as `$NOW(-7 days)`, is text. */
const isWord = (value: unknown): value is string => typeof value === 'string' && value.startsWith('$')

function EditDate(props: EditProps) {
  const { value, onChange } = props
  return (
    <TextInput
      {...inputProps(props)}
      type={isWord(value) ? 'text' : 'date'}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    />
  )
}

const two = (number: number): string => String(number).padStart(2, '0')

/** A moment as the control of the browser writes it: in the zone of the reader, without one. */
function localTime(value: unknown): string {
  const date = new Date(String(value))
  if (typeof value !== 'string' || Number.isNaN(date.getTime())) return ''
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

function EditMoment(props: EditProps) {
  const { value, onChange } = props
  return (
    <TextInput
      {...inputProps(props)}
      type={isWord(value) ? 'text' : 'datetime-local'}
      value={isWord(value) ? value : localTime(value)}
      onChange={(event) => {
        const typed = event.currentTarget.value
        onChange(typed === '' ? null : isWord(typed) ? typed : new Date(typed).toISOString())
      }}
    />
  )
}

export const date: FieldModule = {
  Show: ({ value }: ValueProps) => <Day date={String(value)} />,
  Edit: EditDate,
  operators: ['_eq', ...operators],
  width: 120,
  editsInCell: true,
}
export const datetime: FieldModule = {
  Show: ({ value }: ValueProps) => <Moment at={String(value)} />,
  Cell: ({ value }: ValueProps) => <Moment at={String(value)} short />,
  Edit: EditMoment,
  operators,
  width: 150,
}
