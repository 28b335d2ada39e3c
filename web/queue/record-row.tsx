import { Checkbox, Skeleton } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import Pencil from 'lucide-react/icons/pencil'
import { memo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formQuery } from '../api/form.ts'
import { may, useUser } from '../api/permissions.ts'
import { recordQuery, type Row, titleOf } from '../api/records.ts'
import type { Field, Table } from '../api/tables.ts'
import { FieldValue } from '../fields/field-value.tsx'
import { moduleOf } from '../fields/registry.ts'
import { useFieldLabel } from '../fields/use-field-label.ts'
import { CellEdit } from './cell-edit.tsx'
import { isAtEnd } from './columns.ts'
import { NarrowCell } from './narrow-row.tsx'

interface RecordRowProps {
  readonly index: number
  readonly top: number
  readonly isActive: boolean
  readonly table: Table
  readonly columns: readonly Field[]
  /** In a narrow list: what stands below the title. */
  readonly facts: readonly Field[] | undefined
  /** Undefined while its window is being read. */
  readonly record: Row | undefined
  readonly isSelected: boolean
  /** Everything that matches is selected: no record is left out. */
  readonly isLocked: boolean
  readonly onToggle: (id: number) => void
  readonly onOpen: (id: number) => void
  readonly onFocus: (index: number) => void
}

/** One record of a list. A click opens it at once; the pencil of a short field, or F2, changes that field in its row. */
export const RecordRow = memo(function RecordRow(props: RecordRowProps) {
  const { index, top, isActive, table, columns, facts, record, isSelected, isLocked, onToggle, onOpen, onFocus } = props
  const { t } = useTranslation()
  const user = useUser()
  const client = useQueryClient()
  const router = useRouter()
  const labelOfField = useFieldLabel()
  const [edited, setEdited] = useState<string>()
  const style = { transform: `translateY(${top}px)` }
  if (!record)
    return (
      <div className="grid-row" role="row" aria-rowindex={index + 2} style={style}>
        <div role="gridcell" className="grid-cell is-wide">
          <Skeleton height={12} radius="sm" />
        </div>
      </div>
    )
  const title = titleOf(record, table.title_field)
  const mayEdit = may(user, 'update', table.name) && record.version !== undefined
  function prefetch(): void {
    if (!record) return
    const { id, version } = record
    void client.prefetchQuery(recordQuery(table.name, id))
    if (version !== undefined) void client.prefetchQuery(formQuery(table.name, id, version))
    // The screen itself is there, too, when the record is opened.
    void router.preloadRoute({ to: '/e/$model/$id', params: { model: table.name, id: String(id) } })
  }
  return (
    <div
      className={isSelected ? 'grid-row is-selected' : 'grid-row'}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-label={title}
      data-line={index}
      tabIndex={isActive ? 0 : -1}
      style={style}
      onFocus={() => {
        onFocus(index)
        prefetch()
      }}
      onMouseEnter={prefetch}
      onKeyDown={(event) => {
        if (event.key !== 'F2' || event.target !== event.currentTarget || facts || !mayEdit) return
        setEdited(columns.find((field) => editsInRow(table, field))?.name)
      }}
    >
      <div role="gridcell" className="grid-cell">
        <Checkbox
          size="xs"
          checked={isSelected}
          disabled={isLocked}
          onChange={() => onToggle(record.id)}
          aria-label={t('queue.select', { title })}
          tabIndex={-1}
        />
      </div>
      {facts && <NarrowCell table={table} facts={facts} record={record} onOpen={onOpen} />}
      {(facts ? [] : columns).map((field) => {
        const isEditable = mayEdit && editsInRow(table, field)
        return (
          // oxlint-disable-next-line jsx-a11y/interactive-supports-focus, jsx-a11y/click-events-have-key-events -- a click is the short way: Enter opens the row that has the focus
          <div
            key={field.name}
            role="gridcell"
            className={isAtEnd(field) ? 'grid-cell is-end' : 'grid-cell'}
            onClick={() => edited === undefined && onOpen(record.id)}
          >
            {edited === field.name ? (
              <CellEdit table={table} field={field} record={record} onDone={() => setEdited(undefined)} />
            ) : (
              <FieldValue field={field} record={record} in="cell" />
            )}
            {isEditable && edited !== field.name && (
              <button
                type="button"
                className="cell-pencil"
                tabIndex={-1}
                aria-label={t('queue.editCell', { field: labelOfField(field), title })}
                onClick={(event) => {
                  event.stopPropagation()
                  setEdited(field.name)
                }}
              >
                <Pencil size={13} aria-hidden />
              </button>
            )}
          </div>
        )
      })}
    </div>
  )
})

/** Whether a field is changed in its row. The title opens the record; it is changed there. */
function editsInRow(table: Table, field: Field): boolean {
  const { editsInCell, Edit } = moduleOf(field)
  return editsInCell === true && Edit !== undefined && !field.readonly && field.name !== table.title_field
}
