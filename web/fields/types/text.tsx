import { Textarea, TextInput } from '@mantine/core'
import type { EditProps, FieldModule, Operator, ValueProps } from '../field-module.ts'
import { inputProps } from '../input-props.ts'

const operators: readonly Operator[] = ['_icontains', '_eq', '_neq', '_istarts_with', '_null', '_nnull']

const Show = ({ value }: ValueProps) => <span className="text-value">{String(value)}</span>
const LongText = ({ value }: ValueProps) => <span className="long-text">{String(value)}</span>

const line = (type: 'text' | 'email' | 'url' | 'tel') =>
  function EditLine(props: EditProps) {
    const { field, value, onChange } = props
    return (
      <TextInput
        {...inputProps(props)}
        type={type}
        value={typeof value === 'string' ? value : ''}
        maxLength={field.max_length}
        onChange={(event) => onChange(event.currentTarget.value || null)}
      />
    )
  }

function EditLongText(props: EditProps) {
  const { field, value, onChange } = props
  return (
    <Textarea
      {...inputProps(props)}
      autosize
      minRows={3}
      maxRows={16}
      value={typeof value === 'string' ? value : ''}
      maxLength={field.max_length}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    />
  )
}

/** A link that leaves the app: the other side learns nothing of it. */
const External = ({ href, text }: { readonly href: string; readonly text: string }) => (
  <a href={href} target="_blank" rel="noopener noreferrer">
    {text}
  </a>
)
const isWebAddress = (value: string): boolean => /^https?:\/\//i.test(value)
const ShowUrl = ({ value }: ValueProps) =>
  isWebAddress(String(value)) ? <External href={String(value)} text={String(value)} /> : <span>{String(value)}</span>

export const text: FieldModule = { Show, Edit: line('text'), operators, width: 240, editsInCell: true }
export const longText: FieldModule = {
  Show: LongText,
  Cell: Show,
  Edit: EditLongText,
  FilterValue: line('text'),
  operators,
  width: 320,
}
export const email: FieldModule = {
  ...text,
  Show: ({ value }) => <a href={`mailto:${encodeURIComponent(String(value)).replace('%40', '@')}`}>{String(value)}</a>,
  Cell: Show,
  Edit: line('email'),
  FilterValue: line('text'),
}
export const phone: FieldModule = {
  ...text,
  Show: ({ value }) => <a href={`tel:${String(value).replaceAll(/[^+\d]/g, '')}`}>{String(value)}</a>,
  Cell: Show,
  Edit: line('tel'),
  FilterValue: line('text'),
  width: 160,
}
export const url: FieldModule = { ...text, Show: ShowUrl, Cell: Show, Edit: line('url'), FilterValue: line('text') }
