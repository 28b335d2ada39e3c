import { Button } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Chosen } from '../api/bulk.ts'
import { useFollow } from '../api/follow.ts'
import { may, useUser } from '../api/permissions.ts'
import type { Filter } from '../api/records.ts'
import { labelOf, tableQuery } from '../api/tables.ts'
import { viewsQuery } from '../api/views.ts'
import { useKeys } from '../keyboard/keyboard.tsx'
import { keeperOf } from '../parts/last-choice.ts'
import { Title } from '../parts/title.tsx'
import { rememberTable } from '../shell/last-table.ts'
import { columnsOf, expandsOf } from './columns.ts'
import { FilterBar } from './filter-bar.tsx'
import { listQueryOf, noView, type QueueSearch, shownBy } from './queue-search.ts'
import { RecordGrid } from './record-grid.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { ViewTabs } from './view-tabs.tsx'

/** The list of any table, by its configuration. Its whole state stands in the address. */
export function QueueView() {
  const { model } = useParams({ from: '/frame/e/$model' })
  // Another table is another list: nothing of the one before is kept.
  return <Queue key={model} model={model} />
}

function Queue({ model }: { readonly model: string }) {
  const { t } = useTranslation()
  const user = useUser()
  const navigate = useNavigate()
  const search = useSearch({ from: '/frame/e/$model' })
  const { data: table } = useSuspenseQuery(tableQuery(model))
  // A list without its views is still a list.
  const { data: views = [] } = useQuery(viewsQuery(model))
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [isAll, setAll] = useState(false)
  const [total, setTotal] = useState<number>()
  useEffect(() => rememberTable(keeperOf(user), model), [user, model])
  useFollow(model)

  const mayCreate = may(user, 'create', model)
  const shown = shownBy(search, views, user.id)
  const { view, list } = shown
  const viewed = shown.isChanged ? undefined : view?.id
  // The same names are the same columns: rows that have not changed are not drawn anew.
  const names = list.columns?.join()
  const columns = useMemo(() => columnsOf(table, names?.split(',')), [table, names])
  const clear = (): void => {
    setSelected(new Set())
    setAll(false)
  }
  const show = (next: QueueSearch): void => {
    clear()
    void navigate({ to: '/e/$model', params: { model }, search: next, replace: true })
  }
  const change = (changes: Partial<QueueSearch>): void => {
    const begun = view ? ({ view: view.id, changed: true } as const) : views.length > 0 ? { view: noView } : {}
    show({ ...list, ...changes, ...begun })
  }
  const create = (): void => void navigate({ to: '/e/$model/new', params: { model } })
  useKeys(mayCreate ? [{ keys: 'c', label: t('queue.create'), run: create }] : [])

  return (
    <div className="queue">
      <Title>{labelOf(table)}</Title>
      <header className="queue-head">
        <h1>{labelOf(table)}</h1>
        <span className="quiet" aria-live="polite">
          {total !== undefined && t('queue.total', { count: total })}
        </span>
        {mayCreate && (
          <Button onClick={create} leftSection={<Plus size={16} />} className="push">
            {t('queue.create')}
          </Button>
        )}
      </header>
      <ViewTabs model={model} views={views} shown={shown} onChoose={(id) => show({ view: id })} />
      <FilterBar table={table} search={list} columns={columns} onChange={change} />
      {(isAll || selected.size > 0) && (
        <SelectionBar
          table={table}
          chosen={isAll ? allOf(viewed, list.filter) : { ids: [...selected] }}
          count={isAll ? (total ?? 0) : selected.size}
          onClear={clear}
        />
      )}
      <RecordGrid
        table={table}
        columns={columns}
        query={listQueryOf(list, expandsOf(columns), viewed)}
        group={list.group}
        sort={list.sort}
        onSort={(sort) => change({ sort })}
        selected={selected}
        onSelect={setSelected}
        // A bulk change takes no words to search for.
        isAll={list.q === undefined ? isAll : undefined}
        onSelectAll={(all) => {
          clear()
          setAll(all)
        }}
        onTotal={setTotal}
        isFiltered={list.filter !== undefined || list.q !== undefined}
        onClearFilter={() => change({ filter: undefined, q: undefined })}
      />
    </div>
  )
}

/** All records that are shown: those of a view without what is snoozed. */
const allOf = (view: number | undefined, filter: Filter | undefined): Chosen =>
  view === undefined ? { filter: filter ?? {} } : { view }
