import { ActionIcon, Button, Menu, Popover, Select } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import ListFilter from 'lucide-react/icons/list-filter'
import X from 'lucide-react/icons/x'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Field } from '../api/tables.ts'
import { isUnary, type Operator } from '../fields/field-module.ts'
import { isEmpty } from '../fields/field-value.tsx'
import { moduleOf } from '../fields/registry.ts'
import { useFieldLabel } from '../fields/use-field-label.ts'
import type { Condition } from './conditions.ts'

interface FilterChipProps {
  readonly condition: Condition
  readonly field: Field
  readonly onChange: (condition: Condition) => void
  readonly onRemove: () => void
}

/** A condition of a list. A click changes it. */
export function FilterChip({ condition, field, onChange, onRemove }: FilterChipProps) {
  const { t } = useTranslation()
  const labelOfField = useFieldLabel()
  const [isOpen, editor] = useDisclosure(false)
  const label = labelOfField(field)
  return (
    <span className="chip">
      <Popover opened={isOpen} onChange={editor.toggle} width={300} trapFocus>
        <Popover.Target>
          <button type="button" className="chip-text" aria-expanded={isOpen} onClick={editor.toggle}>
            <b>{label}</b> {t(`operators.${condition.operator}`)} <ConditionValue condition={condition} field={field} />
          </button>
        </Popover.Target>
        <Popover.Dropdown>
          <ConditionForm
            condition={condition}
            field={field}
            onSubmit={(changed) => {
              editor.close()
              onChange(changed)
            }}
          />
        </Popover.Dropdown>
      </Popover>
      <ActionIcon
        variant="subtle"
        size="xs"
        color="gray"
        aria-label={t('queue.removeFilter', { field: label })}
        onClick={onRemove}
      >
        <X size={12} />
      </ActionIcon>
    </span>
  )
}

function ConditionValue({ condition: { operator, value }, field }: Pick<FilterChipProps, 'condition' | 'field'>) {
  const { Show } = moduleOf(field)
  if (isUnary(operator)) return null
  const values = Array.isArray(value) ? value : [value]
  return (
    <span className="chip-values">
      {values.map((one) => (
        <Show key={String(one)} field={field} value={one} />
      ))}
    </span>
  )
}

function ConditionForm({
  condition,
  field,
  onSubmit,
}: Pick<FilterChipProps, 'condition' | 'field'> & { readonly onSubmit: (condition: Condition) => void }) {
  const { t } = useTranslation()
  const labelOfField = useFieldLabel()
  const [operator, setOperator] = useState(condition.operator)
  const [value, setValue] = useState(condition.value)
  const { operators = [], Edit, FilterValue = Edit } = moduleOf(field)
  const isComplete = isUnary(operator) || !isEmpty(value)
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (isComplete) onSubmit({ ...condition, operator, value: isUnary(operator) ? true : value })
  }
  return (
    <form className="stack" onSubmit={submit}>
      <Select
        label={labelOfField(field)}
        data={operators.map((one) => ({ value: one, label: t(`operators.${one}`) }))}
        value={operator}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        onChange={(chosen) => chosen && setOperator(chosen as Operator)}
      />
      {!isUnary(operator) && FilterValue && (
        <FilterValue
          field={{ ...field, required: false }}
          value={value}
          onChange={setValue}
          ariaLabel={t('queue.value')}
          autoFocus
        />
      )}
      <Button type="submit" size="sm" disabled={!isComplete}>
        {t('queue.applyFilter')}
      </Button>
    </form>
  )
}

/** Chooses a field, then its condition. */
export function AddFilter({
  fields,
  onAdd,
}: {
  readonly fields: readonly Field[]
  readonly onAdd: (condition: Condition) => void
}) {
  const { t } = useTranslation()
  const labelOfField = useFieldLabel()
  const [field, setField] = useState<Field>()
  const offered = fields.filter((one) => moduleOf(one).operators?.length)
  return (
    <Popover opened={field !== undefined} onChange={() => setField(undefined)} width={300} trapFocus withRoles={false}>
      <Popover.Target>
        <span>
          <Menu>
            <Menu.Target>
              <Button variant="default" size="sm" leftSection={<ListFilter size={16} />}>
                {t('queue.addFilter')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown className="field-menu">
              {offered.map((one) => (
                <Menu.Item key={one.name} onClick={() => setField(one)}>
                  {labelOfField(one)}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </span>
      </Popover.Target>
      <Popover.Dropdown>
        {field && (
          <ConditionForm
            condition={{ field: field.name, operator: moduleOf(field).operators?.[0] ?? '_eq', value: undefined }}
            field={field}
            onSubmit={(condition) => {
              setField(undefined)
              onAdd(condition)
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
