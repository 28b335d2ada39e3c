import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EditProps, FieldModule, ValueProps } from '../field-module.ts'
import { inputProps } from '../input-props.ts'

const write = (value: unknown, indent = 0): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value, null, indent)

function Edit(props: EditProps) {
  const { t } = useTranslation()
  const { value, onChange, error } = props
  const [typed, setTyped] = useState(() =>
    value === null || value === undefined ? '' : JSON.stringify(value, null, 2),
  )
  const [isWrong, setWrong] = useState(false)
  return (
    <Textarea
      {...inputProps({ ...props, error: isWrong ? t('fields.notJson') : error })}
      autosize
      minRows={3}
      maxRows={16}
      classNames={{ input: 'code' }}
      value={typed}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        try {
          onChange(text.trim() === '' ? null : JSON.parse(text))
          setWrong(false)
        } catch {
          setWrong(true)
        }
      }}
    />
  )
}

export const json: FieldModule = {
  Show: ({ value }: ValueProps) => <pre className="code">{write(value, 2)}</pre>,
  Cell: ({ value }: ValueProps) => <span className="code">{write(value)}</span>,
  Edit,
  width: 200,
}
