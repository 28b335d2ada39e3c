import { ActionIcon, Button, Checkbox, Popover } from '@mantine/core'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Columns from 'lucide-react/icons/columns-3'
import { useTranslation } from 'react-i18next'
import type { Field } from '../api/tables.ts'
import { useFieldLabel } from '../fields/use-field-label.ts'

interface ColumnChooserProps {
  readonly fields: readonly Field[]
  readonly columns: readonly Field[]
  readonly onChange: (names: readonly string[] | undefined) => void
}

/** Which columns a list has, and in which order. */
export function ColumnChooser({ fields, columns, onChange }: ColumnChooserProps) {
  const { t } = useTranslation()
  const labelOfField = useFieldLabel()
  const names = columns.map(({ name }) => name)
  const swap = (at: number, to: number): void => {
    const [from, other] = [names[at], names[to]]
    if (from !== undefined && other !== undefined) onChange(names.with(at, other).with(to, from))
  }
  return (
    <Popover position="bottom-end" width={280} trapFocus>
      <Popover.Target>
        <Button className="columns-button" variant="default" size="sm" leftSection={<Columns size={16} />}>
          {t('queue.columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('queue.columns')} className="column-chooser">
        <ul className="plain-list">
          {columns.map((field, index) => (
            <li key={field.name}>
              <Checkbox
                label={labelOfField(field)}
                checked
                disabled={names.length === 1}
                onChange={() => onChange(names.toSpliced(index, 1))}
              />
              <ActionIcon
                size="sm"
                variant="subtle"
                color="gray"
                disabled={index === 0}
                aria-label={t('queue.moveUp', { field: labelOfField(field) })}
                onClick={() => swap(index, index - 1)}
              >
                <ArrowUp size={14} />
              </ActionIcon>
              <ActionIcon
                size="sm"
                variant="subtle"
                color="gray"
                disabled={index === names.length - 1}
                aria-label={t('queue.moveDown', { field: labelOfField(field) })}
                onClick={() => swap(index, index + 1)}
              >
                <ArrowDown size={14} />
              </ActionIcon>
            </li>
          ))}
          {fields
            .filter(({ name }) => !names.includes(name))
            .map((field) => (
              <li key={field.name}>
                <Checkbox
                  label={labelOfField(field)}
                  checked={false}
                  onChange={() => onChange([...names, field.name])}
                />
              </li>
            ))}
        </ul>
        <Button size="compact-sm" variant="subtle" onClick={() => onChange(undefined)}>
          {t('queue.resetColumns')}
        </Button>
      </Popover.Dropdown>
    </Popover>
  )
}
