import { ActionIcon, Button, Menu, TextInput, Tooltip } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import Group from 'lucide-react/icons/group'
import Search from 'lucide-react/icons/search'
import X from 'lucide-react/icons/x'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Field, type Table } from '../api/tables.ts'
import { moduleOf } from '../fields/registry.ts'
import { useFieldLabel } from '../fields/use-field-label.ts'
import { useKeys } from '../keyboard/keyboard.tsx'
import { ColumnChooser } from './column-chooser.tsx'
import { listableFields } from './columns.ts'
import { type Condition, conditionsOf, filterOf } from './conditions.ts'
import { AddFilter, FilterChip } from './filter-chip.tsx'
import type { QueueSearch } from './queue-search.ts'

interface FilterBarProps {
  readonly table: Table
  readonly search: QueueSearch
  readonly columns: readonly Field[]
  readonly onChange: (changes: Partial<QueueSearch>) => void
}

/** Search, conditions as chips, groups and columns of a list. */
export function FilterBar({ table, search, columns, onChange }: FilterBarProps) {
  const { t } = useTranslation()
  const fields = listableFields(table)
  const conditions = conditionsOf(search.filter)
  const set = (next: readonly Condition[]): void => onChange({ filter: filterOf(next) })
  return (
    <div className="filter-bar" role="search">
      <SearchField value={search.q ?? ''} onChange={(q) => onChange({ q: q || undefined })} />
      {conditions?.map((condition, index) => (
        <FilterChip
          key={`${condition.field} ${index}`}
          condition={condition}
          field={fields.find(({ name }) => name === condition.field) ?? { name: condition.field, type: 'text' }}
          onChange={(changed) => set(conditions.with(index, changed))}
          onRemove={() => set(conditions.toSpliced(index, 1))}
        />
      ))}
      {conditions ? (
        <AddFilter fields={fields} onAdd={(condition) => set([...conditions, condition])} />
      ) : (
        <span className="chip">
          {t('queue.otherFilter')}
          <ActionIcon
            variant="subtle"
            size="xs"
            color="gray"
            aria-label={t('queue.clearFilter')}
            onClick={() => onChange({ filter: undefined })}
          >
            <X size={12} />
          </ActionIcon>
        </span>
      )}
      <span className="push" />
      <GroupMenu fields={fields} group={search.group} onChange={(group) => onChange({ group })} />
      <ColumnChooser fields={fields} columns={columns} onChange={(chosen) => onChange({ columns: chosen })} />
    </div>
  )
}

function SearchField({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value)
  const later = useDebouncedCallback(onChange, 250)
  // The address changed by other means, such as going back.
  useEffect(() => {
    if (document.activeElement !== input.current) setTyped(value)
  }, [value])
  useKeys([{ keys: '/', label: t('queue.keySearch'), run: () => input.current?.focus() }])
  return (
    <TextInput
      ref={input}
      className="search-field"
      type="search"
      size="sm"
      aria-label={t('queue.search')}
      placeholder={t('queue.search')}
      leftSection={<Search size={14} />}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        later(event.currentTarget.value.trim())
      }}
      onKeyDown={(event) => event.key === 'Escape' && input.current?.blur()}
    />
  )
}

function GroupMenu({
  fields,
  group,
  onChange,
}: {
  readonly fields: readonly Field[]
  readonly group: string | undefined
  readonly onChange: (group: string | undefined) => void
}) {
  const { t } = useTranslation()
  const labelOfField = useFieldLabel()
  const grouped = fields.find(({ name }) => name === group)
  return (
    <Menu>
      <Menu.Target>
        <Tooltip label={t('queue.group')}>
          <Button variant="default" size="sm" leftSection={<Group size={16} />}>
            {grouped ? t('queue.grouped', { field: labelOfField(grouped) }) : t('queue.groupShort')}
          </Button>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onChange(undefined)}>{t('queue.noGroup')}</Menu.Item>
        {fields
          .filter((field) => moduleOf(field).groups)
          .map((field) => (
            <Menu.Item key={field.name} onClick={() => onChange(field.name)}>
              {labelOfField(field)}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  )
}
