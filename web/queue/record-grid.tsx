import { Button, Checkbox } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListQuery } from '../api/records.ts'
import { type Field, type Table } from '../api/tables.ts'
import { useFieldLabel } from '../fields/use-field-label.ts'
import { useKeys } from '../keyboard/keyboard.tsx'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { gridTemplate, isAtEnd, narrowTemplate, nextSort, titleColumn } from './columns.ts'
import { GroupHead } from './group-head.tsx'
import { factsOf } from './narrow-row.tsx'
import { RecordRow } from './record-row.tsx'
import { useKeepPlace } from './use-keep-place.ts'
import { useList } from './use-list.ts'

interface RecordGridProps {
  readonly table: Table
  readonly columns: readonly Field[]
  readonly query: ListQuery
  readonly group: string | undefined
  readonly sort: readonly string[] | undefined
  readonly onSort: (sort: readonly string[] | undefined) => void
  readonly selected: ReadonlySet<number>
  readonly onSelect: (selected: ReadonlySet<number>) => void
  /** Whether everything that matches is selected; left out where that cannot be said to the service. */
  readonly isAll: boolean | undefined
  readonly onSelectAll: (isAll: boolean) => void
  readonly onTotal: (total: number | undefined) => void
  readonly isFiltered: boolean
  readonly onClearFilter: () => void
}

const rowHeight = 36
const narrowRowHeight = 56

/** A list of records of any length: only what is seen is read and drawn. */
export function RecordGrid(props: RecordGridProps) {
  const { table, columns, query, group, selected, isAll, onSelect, onSelectAll, onTotal } = props
  const { t } = useTranslation()
  const navigate = useNavigate()
  const scroller = useRef<HTMLDivElement>(null)
  const [range, setRange] = useState({ first: 0, last: 30 })
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [active, setActive] = useState(0)
  const isNarrow = useMediaQuery('(max-width: 640px)', undefined, { getInitialValueInEffect: false })
  const facts = useMemo(() => (isNarrow ? factsOf(table, columns) : undefined), [isNarrow, table, columns])
  const shownColumns = isNarrow ? titleColumn(columns, table.title_field) : columns
  const template = isNarrow ? narrowTemplate : gridTemplate(columns, table.title_field)
  const list = useList(table.name, query, group, { ...range, closed })
  const rows = useVirtualizer({
    count: list.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isNarrow ? narrowRowHeight : rowHeight),
    overscan: 10,
    onChange: ({ range: seen }) => {
      const [first, last] = [Math.max(0, (seen?.startIndex ?? 0) - 10), (seen?.endIndex ?? 0) + 30]
      setRange((before) => (before.first === first && before.last === last ? before : { first, last }))
    },
  })
  const sayTotal = useEffectEvent(onTotal)
  useEffect(() => sayTotal(list.total), [list.total])
  const measure = useEffectEvent(() => rows.measure())
  useEffect(() => measure(), [isNarrow])

  const open = (id: number): void =>
    void navigate({
      to: '/e/$model/$id',
      params: { model: table.name, id: String(id) },
      search: query.view === undefined ? {} : { view: query.view },
    })
  const toggle = (id: number): void => {
    if (!isAll) onSelect(selected.symmetricDifference(new Set([id])))
  }
  function move(step: number): void {
    const next = Math.min(Math.max(active + step, 0), list.length - 1)
    setActive(next)
    rows.scrollToIndex(next)
    // The row may be drawn only now.
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-line="${next}"]`)?.focus())
  }
  const current = list.lineAt(active)?.record
  useKeepPlace({ list, range, active, setActive, scroller, rowHeight: isNarrow ? narrowRowHeight : rowHeight })
  useKeys([
    { keys: 'j', label: t('queue.keyNext'), run: () => move(1) },
    { keys: 'k', label: t('queue.keyPrevious'), run: () => move(-1) },
    {
      keys: 'enter',
      label: t('queue.keyOpen'),
      run: (event) => (isControl(event) ? pass(event) : current && open(current.id)),
    },
    { keys: 'x', label: t('queue.keySelect'), run: () => current && toggle(current.id) },
  ])

  if (list.error) return <Failed error={list.error} retry={list.retry} />
  if (list.isPending) return <Loading lines={12} height={rowHeight - 12} />
  if (list.length === 0)
    return props.isFiltered ? (
      <Empty
        title={t('queue.noMatch')}
        action={
          <Button variant="default" onClick={props.onClearFilter}>
            {t('queue.clearFilter')}
          </Button>
        }
      >
        {t('queue.noMatchWhy')}
      </Empty>
    ) : (
      <Empty title={t('queue.empty')}>{t('queue.emptyWhy')}</Empty>
    )
  return (
    <div
      ref={scroller}
      className={`grid${list.isStale ? ' is-stale' : ''}${isNarrow ? ' is-narrow' : ''}`}
      role="grid"
      aria-label={table.label}
      aria-rowcount={list.length + 1}
      aria-busy={list.isStale}
      style={{ '--columns': template.columns, '--least': template.least } as object}
    >
      <div className="grid-head" role="row" aria-rowindex={1}>
        <div role="columnheader" className="grid-cell">
          {isAll === undefined ? (
            <span className="visually-hidden">{t('queue.selection')}</span>
          ) : (
            <Checkbox
              size="xs"
              aria-label={t('queue.selectAll')}
              checked={isAll}
              indeterminate={!isAll && selected.size > 0}
              onChange={(event) => onSelectAll(event.currentTarget.checked)}
            />
          )}
        </div>
        {shownColumns.map((field) => (
          <ColumnHead key={field.name} field={field} sort={props.sort} onSort={props.onSort} />
        ))}
      </div>
      <div role="rowgroup" className="grid-body" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const line = list.lineAt(index)
          const place = { index, top: start, isActive: index === active }
          if (line?.row === -1 && line.section.group)
            return (
              <GroupHead
                key={index}
                {...place}
                field={columns.find(({ name }) => name === group) ?? { name: group ?? '', type: 'text' }}
                group={line.section.group}
                isClosed={line.section.rows === 0}
                onToggle={(key) => setClosed(closed.symmetricDifference(new Set([key])))}
              />
            )
          return (
            <RecordRow
              key={index}
              {...place}
              table={table}
              columns={columns}
              facts={facts}
              record={line?.record}
              isSelected={line?.record !== undefined && (isAll === true || selected.has(line.record.id))}
              isLocked={isAll === true}
              onToggle={toggle}
              onOpen={open}
              onFocus={setActive}
            />
          )
        })}
      </div>
    </div>
  )
}

/** Enter on a control is for the control. */
const isControl = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && target.closest('button, a, input, [role="button"]') !== null
const pass = ({ target }: KeyboardEvent): void => (target as HTMLElement).click()

function ColumnHead({
  field,
  sort,
  onSort,
}: {
  readonly field: Field
  readonly sort: readonly string[] | undefined
  readonly onSort: RecordGridProps['onSort']
}) {
  const labelOfField = useFieldLabel()
  const first = sort?.[0]
  const order = first === field.name ? 'ascending' : first === `-${field.name}` ? 'descending' : undefined
  return (
    <div role="columnheader" aria-sort={order ?? 'none'} className={isAtEnd(field) ? 'grid-cell is-end' : 'grid-cell'}>
      <button type="button" className="column-head" onClick={() => onSort(nextSort(sort, field.name))}>
        <span>{labelOfField(field)}</span>
        {order === 'ascending' && <ArrowUp size={12} aria-hidden />}
        {order === 'descending' && <ArrowDown size={12} aria-hidden />}
      </button>
    </div>
  )
}
