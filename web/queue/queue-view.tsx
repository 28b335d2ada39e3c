import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { may, useUser } from '../api/permissions.ts'
import { labelOf, tableQuery } from '../api/tables.ts'
import { useKeys } from '../keyboard/keyboard.tsx'
import { Title } from '../parts/title.tsx'
import { rememberTable } from '../shell/last-table.ts'
import { columnsOf, expandsOf } from './columns.ts'
import { FilterBar } from './filter-bar.tsx'
import { listQueryOf, type QueueSearch } from './queue-search.ts'
import { RecordGrid } from './record-grid.tsx'
import { SelectionBar } from './selection-bar.tsx'

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
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [total, setTotal] = useState<number>()
  useEffect(() => rememberTable(model), [model])

  const mayCreate = may(user, 'create', model)
  const columns = columnsOf(table, search.columns)
  const change = (changes: Partial<QueueSearch>): void => {
    setSelected(new Set())
    void navigate({ to: '/e/$model', params: { model }, search: { ...search, ...changes }, replace: true })
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
      <FilterBar table={table} search={search} columns={columns} onChange={change} />
      {selected.size > 0 && <SelectionBar count={selected.size} onClear={() => setSelected(new Set())} />}
      <RecordGrid
        table={table}
        columns={columns}
        query={listQueryOf(search, expandsOf(columns))}
        group={search.group}
        sort={search.sort}
        onSort={(sort) => change({ sort })}
        selected={selected}
        onSelect={setSelected}
        onTotal={setTotal}
        isFiltered={search.filter !== undefined || search.q !== undefined}
        onClearFilter={() => change({ filter: undefined, q: undefined })}
      />
    </div>
  )
}
