import { Checkbox, Skeleton } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { memo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formQuery } from '../api/form.ts'
import { may, useUser } from '../api/permissions.ts'
import { recordQuery, type Row, titleOf } from '../api/records.ts'
import type { Field, Table } from '../api/tables.ts'
import { FieldValue } from '../fields/field-value.tsx'
import { moduleOf } from '../fields/registry.ts'
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

/** One record of a list. A click opens it, a double click on a short field changes that. */
export const RecordRow = memo(function RecordRow(props: RecordRowProps) {
  const { index, top, isActive, table, columns, facts, record, isSelected, isLocked, onToggle, onOpen, onFocus } = props
  const { t } = useTranslation()
  const user = useUser()
  const client = useQueryClient()
  const router = useRouter()
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
        const { editsInCell, Edit } = moduleOf(field)
        // The title opens the record at once; it is changed there.
        const isEditable =
          mayEdit && editsInCell === true && Edit !== undefined && !field.readonly && field.name !== table.title_field
        return (
          <div
            key={field.name}
            role="gridcell"
            className={isAtEnd(field) ? 'grid-cell is-end' : 'grid-cell'}
            onClick={(event) => {
              if (edited !== undefined || event.detail !== 1) return
              if (isEditable) openLater(event.currentTarget, () => onOpen(record.id))
              else onOpen(record.id)
            }}
            onDoubleClick={() => isEditable && setEdited(field.name)}
          >
            {edited === field.name ? (
              <CellEdit table={table} field={field} record={record} onDone={() => setEdited(undefined)} />
            ) : (
              <FieldValue field={field} record={record} in="cell" />
            )}
          </div>
        )
      })}
    </div>
  )
})

/** How long a click waits for a second one. */
const doubleClickMs = 220

/** Opens after a single click: a double click on the same cell changes it instead. */
function openLater(cell: HTMLElement, open: () => void): void {
  const timer = setTimeout(open, doubleClickMs)
  cell.addEventListener('dblclick', () => clearTimeout(timer), { once: true })
}
